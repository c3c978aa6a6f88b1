// The cards that the player used, and what became of each. A press opens the order.
import type { SpentCard } from '#contracts/giftcards.ts';
import { countIn, t, useLanguage } from '#web/platform/i18n.ts';
import { showMoment } from '#web/platform/moment.ts';
import { Chip } from '#web/ui/Chip.tsx';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import { Money } from '#web/ui/figures/Money.tsx';
import { MoneyIn } from '#web/ui/figures/MoneyIn.tsx';
import { useSpentCards } from './exchange.ts';
import styles from './giftcards.module.css';

export function SpentCards({ onOpen }: { onOpen: (billingNo: string) => void }) {
  useLanguage();
  const { data } = useSpentCards();
  if (!data) return null;
  return (
    <section className={styles.history} aria-labelledby="spent-cards">
      <h2 className="voice" id="spent-cards">
        {t('gift.history')}
      </h2>
      {data.list.length === 0 ? (
        <p className={styles.small}>{t('gift.history_empty')}</p>
      ) : (
        <ol>
          {data.list.map((card) => (
            <li key={card.billing_no}>
              <button type="button" aria-haspopup="dialog" onClick={() => onOpen(card.billing_no)}>
                <Used card={card} />
              </button>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Used({ card }: { card: SpentCard }) {
  return (
    <>
      <Icon name="prepaid" />
      <span className={styles.what}>
        <b>
          <bdi>{card.product_name}</bdi>
        </b>
        <span className={styles.small}>
          {t('gift.card_end', { end: card.card_end })} · <Money text={card.worth_shown} />
          {card.role_name && (
            <i>
              {' · '}
              <bdi>{card.role_name}</bdi>
            </i>
          )}
        </span>
        <span className={styles.small}>{showMoment(card.spent_at)}</span>
        {card.rest_shown && (
          <span className={styles.small}>
            <MoneyIn text={t('gift.rest_went', { amount: card.rest_shown })} money={card.rest_shown} />
          </span>
        )}
      </span>
      {card.extra_gems_number > 0 && (
        <Chip tone="spark">
          <bdi dir="ltr">+{countIn(card.extra_gems_number)}</bdi>
        </Chip>
      )}
    </>
  );
}
