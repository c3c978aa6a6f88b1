// The gift tab of both versions: who receives, the card, and the cards used before.
import { askSwitchAccount } from '#web/features/accounts/login/login.ts';
import { openRoles } from '#web/features/games/open.ts';
import { ReceiverCard } from '#web/features/games/ReceiverCard.tsx';
import { refOf, useReceiver } from '#web/features/games/use-receiver.ts';
import { GiftPart } from '#web/features/giftcards/GiftPart.tsx';
import { SpentCards } from '#web/features/giftcards/SpentCards.tsx';
import type { Bought } from '#web/features/giftcards/use-gift-card.ts';
import { ShopPage } from '#web/features/layout/ShopPage.tsx';
import { openResult } from '#web/features/orders/open.ts';
import { agreeFinally } from '#web/features/payments/checkout/agree-finally.ts';
import { useConfirmation } from '#web/platform/visitor/confirmation.ts';
import { goToPay, payHref } from '#web/features/payments/paying/go-to-pay.ts';
import { type ChosenOption, payOrder } from '#web/features/payments/paying/pay-order.ts';
import { readBoot } from '#web/platform/boot.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { openLogin } from '#web/platform/visitor/login.ts';
import { currentRegion, useCountry } from '#web/platform/region.ts';
import { useNavigate, useSearch } from '#web/platform/router/Router.tsx';
import { useUser } from '#web/platform/visitor/session.ts';
import { showToast } from '#web/platform/toast.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { VoidState } from '#web/ui/VoidState.tsx';
import { chooseAhead } from '../lead-to-goods.ts';
import { OtherGame } from '../other-game.tsx';
import styles from './gift.module.css';

export function GiftScreen() {
  useLanguage();
  const user = useUser();
  if (user) return <OwnGifts />;
  const button = (
    <Button kind="pay" onClick={() => openLogin()}>
      {t('login.submit')}
    </Button>
  );
  return (
    <ShopPage isPlain>
      <VoidState level={1} art="st-empty" title={t('gift.login_title')} text={t('gift.login_text')} action={button} />
    </ShopPage>
  );
}

function OwnGifts() {
  const search = useSearch();
  const navigate = useNavigate();
  const region = currentRegion() ?? '';
  const country = useCountry();
  const receiver = useReceiver(region, search, true);
  const { game, role, isAreaRole } = receiver;
  const { cardKinds } = readBoot();
  const confirmation = useConfirmation();
  const clientId = game?.client_id ?? '';
  const chooseRole = () => {
    if (!game) return;
    openRoles({
      game,
      isAreaRole,
      current: role,
      onChoose: (next) => {
        receiver.choose(next);
        // The address named somebody else; a reload must not bring them back.
        const keys = { area_id: undefined, server_id: undefined, role_id: undefined };
        void navigate({ to: '.', search: (before) => ({ ...before, ...keys }), replace: true });
      },
      onSwitchAccount: () => void askSwitchAccount(),
    });
  };
  const toGoods = () => void navigate({ to: '.', search: (before) => ({ ...before, tab: undefined }) });
  const show = (billingNo: string) =>
    openResult({
      billingNo,
      known: null,
      begun: 'none',
      hrefOf: payHref,
      onToPay: goToPay,
      // An unpaid order of the same goods: another way to pay it is chosen where the goods are.
      onRecharge: toGoods,
    });
  const to = role && { ...refOf(role), area_id: isAreaRole ? role.area_id : '' };
  const toShop = (goods: Bought['goods'] | null) => {
    if (goods && game) {
      const { product_id: value, product_name: display, price_shown: price } = goods;
      chooseAhead({ game, goods: { value, display, price } });
    }
    toGoods();
  };
  const buy = async ({ goods, cardInfo, kind }: Bought): Promise<boolean> => {
    const chosen = cardKinds.find(({ pay_id }) => pay_id === kind);
    if (!to || !chosen) return false;
    const { pay_id, channel_id } = chosen;
    const option: ChosenOption = { key: pay_id, pay_id, channel_id, pay_path: 'card_pay' };
    const { product_id, price_minor, offer_code } = goods;
    const offer = offer_code !== '' && { offer_code };
    const target = { client_id: clientId, ...to, product_id, price_minor, ...offer, region, country };
    const accepted = await agreeFinally(confirmation, {
      product: {
        title: goods.product_name,
        gift: goods.content_shown,
        first: '',
        art: goods.art,
        picture: goods.picture,
      },
      game: game?.name ?? '',
      character: role?.display ?? '',
      server: role?.server_name ?? '',
      price: goods.price_shown,
      listPrice: goods.was_shown,
    });
    if (accepted === null) return false;
    const end = await payOrder(target, option, { cardInfo, accepted });
    if (end.kind === 'order') show(end.billingNo);
    if (end.kind === 'couponRefused') showToast(t('offer.over'), 'bad');
    // Another price: the card is read again, and shows what it buys now.
    const isOtherPrice = end.kind === 'reloadGoods' || end.kind === 'couponRefused';
    return isOtherPrice || (end.kind === 'order' && !end.isEarlier);
  };
  if (receiver.isGameMissing) return <OtherGame />;
  return (
    <ShopPage isPlain>
      <h1 className="vh">{t('gift.title')}</h1>
      <div className={styles.page}>
        <div className={styles.main}>
          <ReceiverCard
            game={game}
            role={role}
            state={receiver.state}
            onChange={receiver.state === 'failed' ? receiver.retry : chooseRole}
          />
          <GiftPart
            place={{ clientId, region, country }}
            kinds={cardKinds}
            receiver={role && to && { ...to, name: role.display }}
            onChooseReceiver={chooseRole}
            onBuy={buy}
            onShop={toShop}
            onOrder={show}
          />
        </div>
        <SpentCards onOpen={show} />
      </div>
    </ShopPage>
  );
}
