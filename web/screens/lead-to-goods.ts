// Leads to the goods of the shop with one of them chosen, from screens that sell none themselves.
import { changeDraft, loadDraft, NO_ROLE } from '#web/features/orders/unfinished/order-info.ts';

type Led = {
  game: { client_id: string; gp_id: string; name: string };
  /** Its id, name and price as they are shown. */
  goods: { value: string; display: string; price: string };
};

/** The draft has them chosen, as if they had been pressed there. A character of another game is dropped. */
export function chooseAhead({ game, goods }: Led): void {
  const isOther = loadDraft()?.clientId !== game.client_id;
  changeDraft({
    clientId: game.client_id,
    gameName: game.name,
    gameProductId: game.gp_id,
    ...(isOther && NO_ROLE),
    goods,
    rechargeInfo: null,
    rechargeKey: '',
    payUntil: 0,
  });
}

/** Our choice: the goods are there within it, or the player scrolls. */
const SHOWN_WITHIN_MS = 3000;

/** Scrolls to the card of the goods that are chosen, once it is drawn. */
export function showChosen(until = Date.now() + SHOWN_WITHIN_MS): void {
  const card = document.querySelector('input[name=goods]:checked')?.closest('label');
  if (card) card.scrollIntoView({ block: 'center' });
  else if (Date.now() < until) requestAnimationFrame(() => showChosen(until));
}
