// A sentence with an amount in it ("Pay $4.99"). The amount is kept apart, or an Arabic sentence would move its sign.
import { Money } from './Money.tsx';

/** @param text the whole sentence, the amount included; @param money the amount as it stands in it */
export function MoneyIn({ text, money }: { text: string; money: string }) {
  const at = money === '' ? -1 : text.indexOf(money);
  if (at < 0) return <span>{text}</span>;
  return (
    <span>
      {text.slice(0, at)}
      <Money text={money} />
      {text.slice(at + money.length)}
    </span>
  );
}
