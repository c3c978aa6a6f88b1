// Paying a make-up payment: the country that is paid from, the methods, and the button with the amount.
import { useState } from 'react';
import type { ReplenishInfo } from '#contracts/replenish.ts';
import { openResult, warmResult } from '#web/features/orders/open.ts';
import { CheckoutFoot, CheckoutMethods } from '#web/features/payments/checkout/CheckoutParts.tsx';
import { useCheckout } from '#web/features/payments/checkout/use-checkout.ts';
import { goToPay, payHref } from '#web/features/payments/paying/go-to-pay.ts';
import type { OrderView } from '#web/features/payments/OrderSummary.tsx';
import type { PayEnd } from '#web/features/payments/paying/pay-order.ts';
import { useReplenishCountries } from '#web/features/replenish/queries.ts';
import { leaveTo } from '#web/platform/frame.ts';
import { t } from '#web/platform/i18n.ts';
import { currentRegion, useCountry } from '#web/platform/region.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Note } from '#web/ui/Note.tsx';
import { Select } from '#web/ui/controls/Select.tsx';
import { viewPlaced } from '../placed-order.ts';
import styles from './replenish-goods.module.css';

const NOTHING = { goods: null, gifts: [], game: null, role: null, first: null };

export type ReplenishCheckoutProps = { info: ReplenishInfo; onChanged: () => void };

export function ReplenishCheckout({ info, onChanged }: ReplenishCheckoutProps) {
  const { replenish_id: id, client_id: clientId, amount_minor, amount, currency_code: currency } = info;
  const { country, region, picker } = usePlace(id);
  const order: OrderView = {
    product: { title: t('replenish.product'), gift: '', art: 'item-pass' },
    game: info.game_name,
    character: '',
    server: '',
    price: info.amount_shown,
    listPrice: '',
    isForAccount: true,
  };
  const place = { clientId, region, country, productId: id, price: amount, currency, replenishId: id };
  const target = {
    client_id: clientId,
    server_id: '',
    role_id: '',
    area_id: '',
    product_id: id,
    replenish_id: id,
    price_minor: amount_minor,
    region,
    country,
  };
  const show = (billingNo: string, how: Pick<Parameters<typeof openResult>[0], 'known' | 'begun'>) =>
    openResult(
      { billingNo, ...how, hrefOf: payHref, onToPay: goToPay, onRecharge: () => onChanged() },
      // The page says the present state.
      onChanged,
    );
  const onEnd = (end: PayEnd, methodName: string, paid: OrderView) => {
    onChanged();
    if (end.kind !== 'order') return;
    const { page, isEarlier } = end;
    const known = viewPlaced(end, NOTHING, paid, methodName);
    show(end.billingNo, {
      known: isEarlier ? null : { ...known, replenish_id: id, client_id: clientId },
      begun: page === 'refused' ? 'none' : page,
    });
    // The order is remembered, and its return address leads back to it.
    if (page === 'refused') leaveTo(end.url);
  };
  const checkout = useCheckout({ order, place, target: country === '' ? null : target, onEnd });
  return (
    <section className={styles.pay} aria-label={t('recharge.title')}>
      {info.state === 'paying' && (
        <Note tone="wait">
          {t('replenish.paying')}{' '}
          <Button kind="quiet" onClick={() => show(info.billing_no, { known: null, begun: 'earlier' })}>
            {t('result.unfinished_show')}
          </Button>
        </Note>
      )}
      <CheckoutMethods checkout={checkout} place={picker} />
      <div className={styles.foot} onPointerEnter={warmResult}>
        <CheckoutFoot checkout={checkout} />
      </div>
    </section>
  );
}

/** The country that is paid from: one that charges the currency of the amount. */
function usePlace(id: string) {
  const own = useCountry();
  const ownRegion = currentRegion() ?? '';
  const [chosen, setChosen] = useState('');
  const list = useReplenishCountries(id).data?.list ?? [];
  const keyOf = (one: { value: string; domain_area: string }) => `${one.domain_area}/${one.value}`;
  const place =
    list.find((one) => keyOf(one) === chosen) ??
    list.find((one) => one.value === own && one.domain_area === ownRegion) ??
    list.find((one) => one.value === own) ??
    list[0];
  const picker =
    place && list.length > 1 ? (
      <Select
        label={t('replenish.country')}
        value={keyOf(place)}
        options={list.map((one) => ({ value: keyOf(one), label: one.display }))}
        onChange={setChosen}
      />
    ) : null;
  return { country: place?.value ?? '', region: place?.domain_area ?? '', picker };
}
