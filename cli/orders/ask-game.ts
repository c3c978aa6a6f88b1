// Asks a game for a command, and names the setting that mends a game without an answer.
import { variableOf } from '#server/platform/settings/scoped-settings.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import type { CommandShop } from '#cli/shop.ts';
import { InputFault } from '#cli/terminal.ts';

type Asked = Pick<CommandShop, 'config' | 'configuration'>;

const settingOf = ({ config }: Asked, gameId: string, name: 'URL' | 'SECRETS') =>
  variableOf(`game-${gameId}`, config.environment, name);

/** @throws InputFault for a game that cannot be reached */
export async function askGame<Result>(shop: Asked, gameId: string, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new InputFault(
      `The game ${gameId} gave no answer (${error.message}): see that it runs, or mend ` +
        `${settingOf(shop, gameId, 'URL')}. Nothing was changed.`,
    );
  }
}

export const describeUnset = (shop: Asked, gameId: string): string =>
  `no address and secret are set for it: set ${settingOf(shop, gameId, 'URL')} and ${settingOf(shop, gameId, 'SECRETS')}`;

export const listGames = ({ configuration }: Asked): string => [...configuration.games.keys()].join(', ');
