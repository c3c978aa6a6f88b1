// A text with signed numbers in it ("+20 Bonus crystals"). Each is kept left to right with its sign: in an Arabic
// line the sign would go to the other end.
import { Fragment } from 'react';

const SIGNED = /((?<![\d.,])[+−-]\d[\d.,]*%?)/;

export function Signed({ text }: { text: string }) {
  return text.split(SIGNED).map((part, index) =>
    index % 2 === 1 ? (
      <bdi dir="ltr" key={index}>
        {part}
      </bdi>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
