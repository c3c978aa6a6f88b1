// `npm start -- --shop <folder>`: what the folder says before anything runs, so that the simulators play its games.
import type { GameFile } from '#contracts/game-file.ts';
import { readConfiguration } from '#server/modules/configuration/service.ts';
import { variableOf } from '#server/platform/settings/scoped-settings.ts';
import { loadAdapters } from '#server/own-modules/load-modules.ts';
import type { OwnGame } from '#simulators/gameserver-world.ts';
import { StartFault } from './start-postgres.ts';

export type OwnShop = {
  readonly folder: string;
  /** A host of one of its brands: where the simulated providers call back. */
  readonly host: string;
  /** Games without an address in the settings. */
  readonly simulatedGames: readonly OwnGame[];
  /** Games whose own server is asked, with its address. */
  readonly ownGames: readonly { readonly id: string; readonly url: string }[];
  /** Is true when a demo account can log in anywhere: at the shop itself, or at a simulated game. */
  readonly hasDemoAccounts: boolean;
};

/** @throws StartFault with all faults of the files, a line each */
export async function readOwnShop(
  folder: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<OwnShop> {
  const { adapters, faults } = await loadAdapters(folder);
  const read = await readConfiguration(folder, { ...adapters, faults });
  if (!read.ok) throw new StartFault(read.faults.map((fault) => fault.sentence).join('\n'));
  const games = [...read.configuration.games.values()].map(({ id, file }) => {
    const url = variables[variableOf(`game-${id}`, 'demo', 'URL')];
    return { id, file, url: url || undefined };
  });
  const isSimulated = new Set(games.flatMap(({ id, url }) => (url ? [] : [id])));
  return {
    folder,
    host: [...read.configuration.brands.values()].flatMap(({ demoHosts }) => demoHosts)[0] ?? '127.0.0.1',
    simulatedGames: games.filter(({ id }) => isSimulated.has(id)).map(({ id, file }) => describe(id, file)),
    ownGames: games.flatMap(({ id, url }) => (url ? [{ id, url }] : [])),
    hasDemoAccounts: [...read.configuration.brands.values()].some(
      ({ file }) => file.accounts === 'builtin' || file.games.some((id) => isSimulated.has(id as never)),
    ),
  };
}

function describe(id: string, { name, clients, subGames = [], hasAreas }: GameFile): OwnGame {
  const named = Object.entries(clients).map(([platform, client]) => ({ id: client, name: `${name.en}, ${platform}` }));
  const editions = subGames.map(({ clientId, name: edition }) => ({ id: clientId, name: edition.en }));
  return { id, name: name.en, clients: [...named, ...editions], hasAreas };
}
