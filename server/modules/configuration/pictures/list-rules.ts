// Which pictures the files of a configuration name.
import type { BrandFile } from '#contracts/brand-file.ts';
import type { GameFile } from '#contracts/game-file.ts';
import { isPageDrawing, pathOfBrand, pathOfGame, type WantedPicture } from './picture-types.ts';

type Files = { readonly brands: ReadonlyMap<string, BrandFile>; readonly games: ReadonlyMap<string, GameFile> };

/** In the order of the files. */
export function listPictures({ brands, games }: Files): WantedPicture[] {
  return [
    ...[...brands].flatMap(([key, { art }]): WantedPicture[] => {
      if (art.hero === undefined || isPageDrawing(art.hero)) return [];
      return [
        { role: 'hero', path: pathOfBrand(key, art.hero), file: `brands/${key}/brand.yaml`, at: ['art', 'hero'] },
      ];
    }),
    ...[...games].flatMap(([id, game]) => listOfGame(id, game)),
  ];
}

export function listOfGame(id: string, { art = {}, goods, events = [] }: GameFile): WantedPicture[] {
  const want = (role: WantedPicture['role'], picture: string | undefined, at: WantedPicture['at']): WantedPicture[] =>
    picture === undefined ? [] : [{ role, path: pathOfGame(id, picture), file: `games/${id}/game.yaml`, at }];
  return [
    ...want('hero', art.hero, ['art', 'hero']),
    ...want('currency', art.currency, ['art', 'currency']),
    ...goods.flatMap(({ picture }, index) => want('goods', picture, ['goods', index, 'picture'])),
    ...events.flatMap(({ steps }, index) =>
      steps.flatMap(({ items }, step) =>
        items.flatMap(({ picture }, item) =>
          want('goods', picture, ['events', index, 'steps', step, 'items', item, 'picture']),
        ),
      ),
    ),
  ];
}
