// Names the stage of an order: on its card and on its receipt.
import type { BillingInfo } from '#contracts/orders.ts';
import { useLanguage } from '#web/platform/i18n.ts';
import { Chip } from '#web/ui/Chip.tsx';
import { tellStage } from '#web/features/orders/review.ts';
import { toneOf } from '#web/features/orders/stages.ts';

export function StageChip({ order }: { order: BillingInfo }) {
  useLanguage();
  return <Chip tone={toneOf(order)}>{tellStage(order)}</Chip>;
}
