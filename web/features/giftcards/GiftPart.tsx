// The gift tab: a card is typed in, shows what it is worth, and is then turned into its goods or pays for some.
import { type FormEvent, useState } from 'react';
import { CARD_FIELD_MAX } from '#contracts/card-info.ts';
import type { CardWorth } from '#contracts/giftcards.ts';
import { isCardFilled, NO_CARD, type TypedCard, writeCardInfo } from '#web/platform/calls/card-info.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Field } from '#web/ui/controls/Field.tsx';
import { Note } from '#web/ui/Note.tsx';
import { Select } from '#web/ui/controls/Select.tsx';
import { CardWorthView } from './CardWorthView.tsx';
import { checkCard, type GiftPlace, type GiftReceiver } from './exchange.ts';
import styles from './giftcards.module.css';
import { type BuyableGoods, type Bought, useGiftCard } from './use-gift-card.ts';

export type CardKind = { pay_id: string; name: string };

export type GiftPartProps = {
  place: Omit<GiftPlace, 'kind'>;
  kinds: readonly CardKind[];
  /** Null while no character is chosen. */
  receiver: GiftReceiver | null;
  onChooseReceiver: () => void;
  /** Pays goods by the card; true when what is shown is over: an order stands, or the prices have changed. */
  onBuy: (bought: Bought) => Promise<boolean>;
  /** Leads to the goods in the shop, chosen there; null: to the shop. */
  onShop: (goods: BuyableGoods | null) => void;
  /** An order of a card that was turned into its goods. */
  onOrder: (billingNo: string) => void;
};

type Checked = { cardInfo: string; worth: CardWorth };

export function GiftPart({ place, kinds, receiver, onChooseReceiver, onBuy, onShop, onOrder }: GiftPartProps) {
  const [kind, setKind] = useState(kinds[0]?.pay_id ?? '');
  const [checked, setChecked] = useState<Checked | null>(null);
  const here = { ...place, kind };
  const use = useGiftCard({ place: here, receiver, onBuy, onOrder, onChooseReceiver, onUsed: () => setChecked(null) });
  if (checked) {
    const { cardInfo, worth } = checked;
    return (
      <CardWorthView
        worth={worth}
        receiver={receiver}
        busy={use.busy}
        fault={use.fault}
        onTake={() => void use.take(cardInfo, worth)}
        onBuy={(goods) => void use.buy(cardInfo, worth, goods)}
        onShop={onShop}
        onBack={() => {
          use.clear();
          setChecked(null);
        }}
      />
    );
  }
  return <CardForm place={here} kinds={kinds} receiver={receiver} onKind={setKind} onChecked={setChecked} />;
}

type CardFormProps = {
  place: GiftPlace;
  kinds: readonly CardKind[];
  receiver: GiftReceiver | null;
  onKind: (kind: string) => void;
  onChecked: (checked: Checked) => void;
};

function CardForm({ place, kinds, receiver, onKind, onChecked }: CardFormProps) {
  useLanguage();
  const [card, setCard] = useState<TypedCard>(NO_CARD);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState('');
  const isFilled = isCardFilled(card);
  const change = (part: Partial<TypedCard>) => {
    setCard({ ...card, ...part });
    setFault('');
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isFilled || isBusy) return;
    setBusy(true);
    setFault('');
    const cardInfo = await writeCardInfo(card);
    const outcome = await checkCard(cardInfo, place, receiver);
    setBusy(false);
    if (outcome.kind === 'ok') return onChecked({ cardInfo, worth: outcome.content });
    setFault(outcome.kind === 'network' ? t('network.failed') : outcome.msg || t('error.card_refused'));
  };
  const plain = { autoCapitalize: 'characters', autoCorrect: 'off', spellCheck: false, required: true } as const;
  return (
    <form className={styles.panel} onSubmit={(event) => void submit(event)}>
      <p className={styles.lead}>{t('recharge.card_lead')}</p>
      {fault && <Note tone="bad">{fault}</Note>}
      {kinds.length > 1 && (
        <Select
          label={t('gift.kind')}
          value={place.kind}
          options={kinds.map(({ pay_id: value, name }) => ({ value, label: name }))}
          onChange={onKind}
        />
      )}
      {/* Nothing for a password manager to keep: a card is used and gone. */}
      <Field
        {...plain}
        label={t('recharge.card_number')}
        autoComplete="off"
        maxLength={CARD_FIELD_MAX}
        value={card.number}
        onChange={(number) => change({ number })}
      />
      <Field
        {...plain}
        label={t('recharge.card_password')}
        eye={{ show: t('login.show_password'), hide: t('login.hide_password') }}
        autoComplete="one-time-code"
        maxLength={CARD_FIELD_MAX}
        value={card.password}
        onChange={(password) => change({ password })}
      />
      {/* @source specification section 5: "the buy button stays disabled until both are filled" */}
      <Button kind="pay" type="submit" isWide isBusy={isBusy} disabled={!isFilled}>
        {t('gift.check')}
      </Button>
    </form>
  );
}
