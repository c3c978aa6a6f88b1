// Which game server a command speaks to, and for whom: options first, then the settings of the shop and its files.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { readConfiguration } from '#server/modules/configuration/service.ts';
import { locateShop } from '#server/platform/settings/shop-folder.ts';
import { findGameFault } from '#server/serve/check-secrets.ts';
import { variableOf } from '#server/platform/settings/scoped-settings.ts';
import { requireAdapters } from '#server/own-modules/load-modules.ts';
import type { GameId } from '#kernel/ids.ts';
import { toDecimal } from '#kernel/money.ts';
import { requireUtf8 } from '#cli/read-text.ts';
import { readCommandConfig } from '#cli/environment.ts';
import { InputFault, type Terminal } from '#cli/terminal.ts';
import { type Answer, type Caller, NoAnswer } from './check/call.ts';
import { demandOk, type Subject } from './check/case.ts';

export type GameOptions = {
  readonly user: string;
  readonly client?: string;
  readonly server?: string;
  readonly area?: string;
  readonly role?: string;
  readonly product?: string;
  readonly username?: string;
  readonly passwordFile?: string;
  readonly url?: string;
  readonly secretFile?: string;
};

/** @param isPlayerNeeded by every call of the command; otherwise those that need one say so */
export function addGameOptions(command: Command, isPlayerNeeded: boolean): Command {
  const user = new Option('--user <id>', "the player's id at the game: goods go to one of their characters");
  return command
    .addOption(user.makeOptionMandatory(isPlayerNeeded))
    .option('--client <id>', "the client; the game's first one in its file unless given")
    .option('--server <id>', "the character's server; that of the player's first character unless given")
    .option('--area <id>', "the character's area, in games with areas")
    .option('--role <id>', "the character; the player's first one unless given")
    .option('--product <id>', "what is delivered; the game's first product in its file unless given")
    .option('--username <name>', 'an account to sign in with, where the game keeps accounts')
    .option('--password-file <file>', 'a file with its password')
    .option('--url <address>', "the address that the verbs are appended to; the shop's setting unless given")
    .option('--secret-file <file>', "a file with the secret (whsec_...); the shop's setting unless given");
}

type ClientOptions = Pick<GameOptions, 'client' | 'product'>;
type AddressOptions = Pick<GameOptions, 'url' | 'secretFile'>;

export type GameAddress = { readonly baseUrl: string; readonly secret: string };

/** @throws InputFault when address or secret stand nowhere */
export async function readGameAddress(
  terminal: Terminal,
  gameId: string,
  options: AddressOptions,
): Promise<GameAddress> {
  const given = options.secretFile === undefined ? null : await readSecretFile(options.secretFile, '--secret-file');
  const { environment } = terminal;
  const isAllGiven = options.url !== undefined && given !== null;
  // No database is opened: its address only has to be one.
  const config = isAllGiven ? null : readCommandConfig(environment, 'postgres://127.0.0.1/none');
  const shop = config?.gameServer(gameId) ?? null;
  const baseUrl = options.url ?? shop?.url;
  const secret = given ?? shop?.secrets[0];
  const variable = (name: string) => variableOf(`game-${gameId}`, config?.environment ?? 'demo', name);
  if (!baseUrl) throw new InputFault(`The address of ${gameId} is not known: give --url or set ${variable('URL')}.`);
  if (!secret)
    throw new InputFault(`The secret of ${gameId} is not known: give --secret-file or set ${variable('SECRETS')}.`);
  if (!URL.canParse(baseUrl)) throw new InputFault(`--url is "${baseUrl}": it must be a whole address, https://...`);
  const fault = findGameFault(secret);
  if (fault) throw new InputFault(`The secret of ${gameId} ${fault.reason}: ${fault.remedy}.`);
  return { baseUrl, secret };
}

/** The client that a call names, where it names no player. */
export async function readClient({ environment }: Terminal, gameId: string, options: ClientOptions): Promise<string> {
  if (options.client !== undefined) return options.client;
  const root = locateShop(environment);
  const file = await readGameFile(root, gameId, options);
  if (!file?.clientId) throw await explainNoGame(root, gameId);
  return file.clientId;
}

async function explainNoGame(root: string, gameId: string): Promise<InputFault> {
  const games = await readdir(join(root, 'games')).catch(() => []);
  const known = games.length > 0 ? `name one of ${games.toSorted().join(', ')}, or give` : 'give';
  return new InputFault(`${root} has no game "${gameId}": ${known} --client.`);
}

/** Fills what the options leave out: from the game's file, and by asking the game for the player's characters. */
export async function readSubject(
  { environment }: Terminal,
  call: Caller,
  gameId: string,
  options: GameOptions,
): Promise<Subject> {
  const root = locateShop(environment);
  // A caller that names both needs no files, and may have none: then only the price in a grant is not known.
  const isNamed = options.client !== undefined && options.product !== undefined;
  const file = await readGameFile(root, gameId, options).catch((error: unknown) => {
    if (isNamed) return null;
    throw error;
  });
  if (file && !isNamed && options.product !== undefined && !file.paid)
    throw new InputFault(`${gameId} sells no "${options.product}" in ${root}: give a --product of its file.`);
  const clientId = options.client ?? file?.clientId;
  const productId = options.product ?? file?.productId;
  if (!clientId) throw await explainNoGame(root, gameId);
  if (!productId) throw new InputFault(`${gameId} has no product in ${root}: give --product.`);
  const login = await readLogin(options);
  const known = { clientId, productId, paid: file?.paid ?? EXAMPLE_PAID, userId: options.user, login };
  if (options.role && options.server)
    return { ...known, serverId: options.server, areaId: options.area ?? '', roleId: options.role };
  const role = await findRole(call, clientId, options);
  return { ...known, serverId: role.server_id, areaId: options.area ?? role.area_id ?? '', roleId: role.id };
}

/** That of docs/game-server-contract.md, for a product of which the shop's files know no price. */
const EXAMPLE_PAID = { amount: '4.99', currency: 'USD' };

type GameFile = { clientId?: string; productId?: string; paid?: Subject['paid'] };

async function readGameFile(root: string, gameId: string, options: ClientOptions): Promise<GameFile | null> {
  const read = await readConfiguration(root, await requireAdapters(root));
  if (!read.ok)
    throw new InputFault(`The files in ${root} have faults (refill plan lists them): give --client and --product.`);
  const game = read.configuration.games.get(gameId as GameId);
  if (!game) return null;
  const [client] = Object.values(game.file.clients);
  const productId = options.product ?? [...game.products.keys()][0];
  const [price] = game.products.get(productId ?? '')?.prices.values() ?? [];
  return {
    ...(client ? { clientId: client } : {}),
    ...(productId ? { productId } : {}),
    ...(price ? { paid: { amount: toDecimal(price), currency: price.currency } } : {}),
  };
}

type Role = { id: string; server_id: string; area_id?: string };

async function findRole(call: Caller, clientId: string, options: GameOptions): Promise<Role> {
  const { user, role, server, area } = options;
  const asked = {
    client_id: clientId,
    user_id: user,
    ...(server && { server_id: server }),
    ...(area && { area_id: area }),
  };
  let roles: unknown;
  let answer: Answer | null = null;
  try {
    answer = await call('roles', asked);
    roles = demandOk('roles', answer)['roles'];
  } catch (error) {
    throw new InputFault(
      `The characters of ${user} cannot be read (${(error as Error).message}): ${remedyOf(error, answer)}.`,
    );
  }
  const found = (roles as Role[]).find((one) => role === undefined || one.id === role);
  if (!found)
    throw new InputFault(`Player ${user} has no such character at client ${clientId}: give another --user or --role.`);
  return found;
}

/**
 * Advises on a fault that a person can mend: an address that leads nowhere or elsewhere, a secret that the game
 * refuses, else the player.
 */
function remedyOf(error: unknown, answer: Answer | null): string {
  if (error instanceof NoAnswer) return 'check --url, or the setting it stands for';
  if (answer?.status === 401 || answer?.status === 403) return 'check --secret-file, or the setting it stands for';
  if (answer?.status === 404) return 'check --url, to which the verbs are appended, or give --server and --role';
  return 'give --server and --role';
}

async function readLogin({ username, passwordFile }: GameOptions): Promise<Subject['login']> {
  if (username === undefined && passwordFile === undefined) return null;
  if (username === undefined || passwordFile === undefined)
    throw new InputFault('--username and --password-file go together: give both or none.');
  return { username, password: await readSecretFile(passwordFile, '--password-file') };
}

/** A secret never stands on a command line, where everybody on the machine can read it. */
async function readSecretFile(path: string, option: string): Promise<string> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new InputFault(`${option} ${path} cannot be read (${error.code}): name a file that holds it.`);
  });
  const text = requireUtf8(path, bytes);
  if (text.trim() === '') throw new InputFault(`${option} ${path} is empty: name a file that holds it.`);
  return text.trim();
}
