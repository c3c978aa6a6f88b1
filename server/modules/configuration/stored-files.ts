// The rows of the applied configuration, and the files that they are of.
import { isFolderName } from '#kernel/ids.ts';
import { isLanguage } from '#kernel/languages.ts';
import type { ConfigurationFiles, OwnTexts } from './configuration.ts';
import type { MadePicture } from './pictures/picture-types.ts';
import type { StockTotal, StoredFile } from './store.ts';

export function pack({
  brands,
  games,
  channels,
  regions,
  messages = {},
  pictures = new Map(),
}: ConfigurationFiles): StoredFile[] {
  return [
    ...[...brands].map(([key, body]): StoredFile => ({ kind: 'brand', key, body })),
    ...[...games].map(([key, body]): StoredFile => ({ kind: 'game', key, body })),
    { kind: 'channels', key: 'channels', body: channels },
    // These two beside the channels, whose kind the table knows; older rows have no such keys.
    ...(Object.keys(regions).length > 0 ? [{ kind: 'channels', key: 'regions', body: regions } as const] : []),
    ...(Object.keys(messages).length > 0 ? [{ kind: 'channels', key: 'messages', body: messages } as const] : []),
    ...[...pictures].map(([key, body]): StoredFile => ({ kind: 'picture', key, body })),
  ];
}

/** The name of a brand, game or language that no apply has written: it would be a part of a path. */
export function findStrangeName(stored: readonly StoredFile[]): string | null {
  const names = stored.filter(({ kind }) => kind === 'brand' || kind === 'game').map(({ key }) => key);
  const texts = stored.find(({ kind, key }) => kind === 'channels' && key === 'messages')?.body ?? {};
  const languages = Object.keys(texts as object);
  return names.find((name) => !isFolderName(name)) ?? languages.find((name) => !isLanguage(name)) ?? null;
}

export const explainStrangeName = (name: string): string =>
  `The stored configuration names ${JSON.stringify(name)}, which is no name of a brand, a game or a language.`;

/**
 * The database's files passed the checks before they were stored, so they are not checked again, but for their names.
 */
export function unpack(stored: readonly StoredFile[]): ConfigurationFiles {
  const strange = findStrangeName(stored);
  if (strange !== null) throw new RangeError(explainStrangeName(strange));
  const bodies = <Body>(kind: StoredFile['kind']) =>
    new Map(stored.filter((file) => file.kind === kind).map((file) => [file.key, file.body as Body]));
  return {
    brands: bodies<ConfigurationFiles['brands'] extends ReadonlyMap<string, infer Body> ? Body : never>('brand'),
    games: bodies<ConfigurationFiles['games'] extends ReadonlyMap<string, infer Body> ? Body : never>('game'),
    channels: bodies<ConfigurationFiles['channels']>('channels').get('channels') ?? { channels: [] },
    regions: bodies<ConfigurationFiles['regions']>('channels').get('regions') ?? {},
    messages: bodies<OwnTexts>('channels').get('messages') ?? {},
    pictures: bodies<MadePicture>('picture'),
  };
}

export function stockTotals({ games }: Pick<ConfigurationFiles, 'games'>): StockTotal[] {
  return [...games].flatMap(([gameId, game]) =>
    game.goods.flatMap(({ id, stock }) => (stock === undefined ? [] : [{ gameId, productId: id, total: stock }])),
  );
}
