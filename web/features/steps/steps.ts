// The four steps of a purchase in the classic version, and what each is called.
import { type CLASSIC_STEPS, stepOf } from '#contracts/documents.ts';
import type { MessageId } from '#web/platform/i18n.ts';

export type Step = { path: (typeof CLASSIC_STEPS)[number]; label: MessageId & `steps.${string}` };

/** In the order of CLASSIC_STEPS. */
export const STEPS = [
  { path: '/selectGame', label: 'steps.select_game' },
  { path: '/selectGoods', label: 'steps.select_goods' },
  { path: '/recharge', label: 'steps.recharge' },
  { path: '/result', label: 'steps.result' },
] as const satisfies readonly Step[];

/** The step at a path, or null for a page that is none. */
export function findStep(path: string): Step | null {
  return STEPS[stepOf(path) - 1] ?? null;
}
