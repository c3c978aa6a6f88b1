// The rows of the applied configuration, and the files that they are of.
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

// The database's files passed the checks before they were stored, so they are not checked again.
export function unpack(stored: readonly StoredFile[]): ConfigurationFiles {
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
