// Parts whose code comes with their first use, and comes again after it got lost on the way: React.lazy remembers a failure for ever.
import { type ComponentType, createElement, type FunctionComponent, lazy } from 'react';

export type LazyPart<Props extends object> = FunctionComponent<Props> & {
  /** Fetches the code ahead. Never fails: whoever draws the part meets the failure, and can try again. */
  preload: () => Promise<void>;
};

const renewals = new Set<() => void>();

/** @param load `() => import('./MyPopup.tsx').then((module) => module.MyPopup)` */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let there: ComponentType<Props> | null = null;
  const fetchPart = async () => {
    there = await load();
    return { default: there };
  };
  const make = () =>
    lazy(() =>
      fetchPart().catch((error: unknown) => {
        renewals.add(renew);
        throw error;
      }),
    );
  let coming = make();
  const renew = () => {
    coming = make();
  };
  // A part that is there is drawn in the same breath, which transitions need.
  const Part = (props: Props) => createElement(there ?? coming, props);
  const preload = () =>
    fetchPart().then(
      () => undefined,
      () => undefined,
    );
  return Object.assign(Part, { preload });
}

/** Before another try: every part that got lost is asked for again when it is drawn next. */
export function renewLostParts(): void {
  for (const renew of renewals) renew();
  renewals.clear();
}

/**
 * Takes the link of a style sheet or script that did not come out of the page, else the bundler's loader takes it for loaded
 * and the part comes without its looks.
 */
export function dropLostLinks(): void {
  // At the window's own turn, before the loader hears of it: errors of elements do not bubble.
  addEventListener('error', ({ target }) => target instanceof HTMLLinkElement && target.remove(), true);
}
