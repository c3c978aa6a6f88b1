// The steps of the rehearsal, in their order. Another one is a line here.
import { buyStep } from './buy.ts';
import { copySteps } from './keep-copy.ts';
import { refundSteps } from './refund.ts';
import type { Step } from './run-steps.ts';
import { shopSteps } from './make-shop.ts';
import { serveSteps } from './serve-shop.ts';
import { makeUpgradeStep } from './upgrade.ts';

/** @param from a checkout of the release before, installed and built; its newest tag unless given */
export const listSteps = (from: string | undefined): readonly Step[] => [
  ...shopSteps,
  ...serveSteps,
  buyStep,
  ...refundSteps,
  ...copySteps,
  makeUpgradeStep(from),
];

/** Steps stand on those before them, so the last one that is named says how far it goes; those alone stand alone. */
export function chooseSteps(steps: readonly Step[], wanted: readonly string[]): readonly Step[] {
  const named = steps.filter(({ name }) => wanted.includes(name));
  if (wanted.length === 0) return steps;
  if (named.every(({ isAlone }) => isAlone)) return named;
  const last = steps.findLastIndex(({ isAlone, name }) => !isAlone && wanted.includes(name));
  return steps.filter((step, index) => index <= last || named.includes(step));
}
