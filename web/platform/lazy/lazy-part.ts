// Parts whose code comes with their first use, and comes again after it got lost on the way: React.lazy
// remembers a failure for ever.
import { type ComponentType, createElement, type FunctionComponent, lazy, useState } from 'react';

export type LazyPart<Props extends object> = FunctionComponent<Props> & {
  /** Fetches the code ahead. Never fails: whoever draws the part meets the failure, and can try again. */
  preload: () => Promise<void>;
};

const renewals = new Set<() => void>();

/** @param load `() => import('./MyPopup.tsx').then((module) => module.MyPopup)` */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let there: ComponentType<Props> | null = null;
  const fetchPart = async () => {
    there = await fetchWhole(load);
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
  // A part that is there is drawn in the same breath, which transitions need. What was
  // drawn as one type stays it: React would throw away the state of a part, and what was typed into it, where the type
  // changes below it.
  function Part(props: Props) {
    const [drawn] = useState(() => ({ type: there ?? coming }));
    return createElement(drawn.type, props);
  }
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

const lostSheets = new Set<string>();

/**
 * Notes style sheets that did not come: the bundler's loader asks for each once, and would
 * bring a part without its looks.
 */
export function watchSheets(): void {
  // At the window's own turn: errors of elements do not bubble.
  addEventListener(
    'error',
    ({ target }) => {
      if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return;
      lostSheets.add(target.href);
      target.remove();
    },
    true,
  );
}

/** Fetches code, and before it the style sheets that got lost. Rejects when one of them does not come now either. */
export async function fetchWhole<Code>(load: () => Promise<Code>): Promise<Code> {
  await Promise.all(Array.from(lostSheets, addSheet));
  return load();
}

function addSheet(href: string): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  lostSheets.delete(href);
  document.head.append(link);
  return new Promise((resolve, reject) => {
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => reject(new Error(`no style sheet ${href}`)));
  });
}
