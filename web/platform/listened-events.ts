// React listens at its root to every event that there is, twice; a press on a pack is some forty calls of it by that,
// most of them for nobody: a third of what the press costs. Here it listens to what the page has a use for.

/** @source the props of React's elements under web/; listened-events.test.ts compares */
export const LISTENED: ReadonlySet<string> = new Set([
  'click',
  'change',
  'input',
  'submit',
  'reset',
  'focusin',
  'focusout',
  'keydown',
  'keyup',
  'pointerdown',
  'pointerover',
  'pointerout',
]);

/** Before React draws there. Popups lie beside the root, and what they are made of listens to everything. */
export function listenLess(root: HTMLElement): HTMLElement {
  const listen = root.addEventListener;
  root.addEventListener = (...call: Parameters<typeof listen>) => {
    if (LISTENED.has(call[0])) listen.apply(root, call);
  };
  return root;
}
