// Whom a limit counts, and what the amount of a bundle counts. Pure.
import type { Texts } from '#contracts/files.ts';
import type { GameFile, GoodsEntry, Limit } from '#contracts/game-file.ts';

/**
 * The key a limit is counted under: one character, or the whole account in this game.
 * @source specification section 9, "Limited purchase": N purchases within D days; N per character
 */
export function limitSubject(
  limit: Limit,
  who: { clientId: string; areaId: string; serverId: string; roleId: string },
): string {
  return limit.type === 'game' ? 'game' : `role:${who.clientId}/${who.areaId}/${who.serverId}/${who.roleId}`;
}

/** The season of a first-purchase bonus that names none. */
export const EVER = 'ever';

/** The client that a character is counted under: android, ios and web are one, an edition is its own. */
export function countedClient({ file }: { file: Pick<GameFile, 'clients'> }, clientId: string): string {
  return Object.values(file.clients).includes(clientId) ? file.clients.web : clientId;
}

type Counted = Pick<GoodsEntry, 'amount' | 'gifts'> & { readonly shelf?: string };

const isCurrencyAlone = ({ amount = 0, gifts = [] }: Counted): boolean =>
  amount > 0 && gifts.every(({ isCurrency }) => isCurrency === true);

/**
 * Returns the unit that a bundle's amount counts, in its plural forms: the unit of the shelf that sells it alone. Null
 * for a pack, which its amount names, and where there is none.
 */
export function unitInBundle(
  {
    file: { shelves },
    products,
  }: { file: Pick<GameFile, 'shelves'>; products: ReadonlyMap<string, { file: Counted }> },
  { file }: { file: Counted },
): Texts | null {
  if (!file.amount || isCurrencyAlone(file)) return null;
  const sold = [...products.values()].filter((one) => isCurrencyAlone(one.file));
  return shelves.find(({ key }) => sold.some((one) => one.file.shelf === key))?.unit ?? null;
}
