// Finds the page on which a player finds their account or a new password: the game's own, else the brand's, else none.
import { readBoot } from '#web/platform/boot.ts';

/** Address of the page; empty where there is none to link to. @param clientId of a game or of an edition of one */
export function accountHelpOf(clientId: string): string {
  const { games, brand } = readBoot();
  const game = games.find(
    (one) => one.client_id === clientId || Object.values(one.sub_game).some((sub) => sub.client_id === clientId),
  );
  return game?.account_help_link ?? brand.links.accountHelp ?? '';
}
