// The pack that is worth most, beside the goods on wide screens until something is chosen.
import type { Goods } from '#contracts/catalogue.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Chip } from '#web/ui/Chip.tsx';
import { Money } from '#web/ui/figures/Money.tsx';
import { Picture } from '#web/ui/pictures/Picture.tsx';
import styles from './offer.module.css';

export function BestOffer({ goods, onSelect }: { goods: Goods; onSelect: (goods: Goods) => void }) {
  useLanguage();
  return (
    <div className={styles.offer}>
      <span className={styles.art}>
        <Picture picture={goods.picture} art={goods.art} sizes="180px" isEager />
      </span>
      <Chip tone="spark">{t('goods.best_value')}</Chip>
      <b>
        <bdi>{goods.display}</bdi>
      </b>
      <Button isWide onClick={() => onSelect(goods)}>
        <Money text={goods.price_shown} />
      </Button>
    </div>
  );
}
