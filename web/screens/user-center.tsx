// VIP centre. Its address is not found where the brand has no VIP version.
import { ShopPage } from '#web/features/layout/ShopPage.tsx';
import { VipCentre } from '#web/features/vip/VipCentre.tsx';

export function UserCenter() {
  return (
    <ShopPage isPlain hasFooter={false}>
      <VipCentre />
    </ShopPage>
  );
}
