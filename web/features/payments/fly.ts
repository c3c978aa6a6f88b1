// The chosen goods travel from their card into the order: a View Transition with one shared name on the art.

const NAME = 'chosen-goods';

/** The attribute of the drawing inside the order bar and the order panel. */
const ORDER_ART = 'data-order-art';

type Drawing = SVGElement | HTMLElement;

function asDrawing(art: Element | null): Drawing | null {
  return art instanceof SVGElement || art instanceof HTMLElement ? art : null;
}

/**
 * Lets the drawing of the card move into the drawing of the order, where it is drawn already: the choice itself never
 * waits for the motion. Nothing moves where transitions do not exist, or the player wants no motion.
 * @param card the pressed one
 */
export function flyToOrder(card: Element): void {
  const art = card.querySelector('picture, svg');
  const drawing = asDrawing(art);
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (!drawing || isStill || typeof document.startViewTransition !== 'function') return;
  drawing.style.viewTransitionName = NAME;
  let arrived: Drawing | undefined;
  const transition = document.startViewTransition(() => {
    drawing.style.viewTransitionName = '';
    arrived = [...document.querySelectorAll<Drawing>(`[${ORDER_ART}] :is(svg, picture)`)].find(
      (one) => one.getBoundingClientRect().width > 0,
    );
    if (arrived) arrived.style.viewTransitionName = NAME;
  });
  const rest = () => {
    if (arrived) arrived.style.viewTransitionName = '';
  };
  // The next choice cuts a motion short; that is no fault to complain about.
  transition.ready.catch(() => undefined);
  transition.finished.then(rest, rest);
}
