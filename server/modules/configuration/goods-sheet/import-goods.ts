// A table of goods taken up by the game's file in the shop's folder: the file stays the source of what is sold, the
// database hears of it by plan and apply. On any fault nothing is written.
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { GameFile } from '#contracts/game-file.ts';
import type { RegionsFile } from '#contracts/regions-file.ts';
import { type Country, knownCountries } from '#kernel/regions.ts';
import type { Fault } from '#server/modules/configuration/checks/finding-types.ts';
import type { ConfigurationFiles } from '#server/modules/configuration/configuration.ts';
import type { ReadOptions } from '#server/modules/configuration/files/read-files.ts';
import { findNewFaults, replaceFile } from '#server/modules/configuration/files/replace-file.ts';
import { readYaml } from '#server/modules/configuration/files/read-yaml.ts';
import { checkShape } from '#server/modules/configuration/files/schema.ts';
import { planChanges } from '#server/modules/configuration/plan-rules.ts';
import { readUtf8, type TextFault } from '#server/platform/utf8.ts';
import { changeGoods } from './change-goods-rules.ts';
import { editYaml } from './edit-yaml.ts';
import type { SheetFault } from './read-sheet-rules.ts';
import type { GoodsSheet } from './sheet-types.ts';

export type GameText = {
  /** Path from the root: games/<id>/game.yaml */
  readonly file: string;
  readonly text: string;
  readonly body: GameFile;
  /** Countries that a price can be of. */
  readonly countries: ReadonlySet<Country>;
};

type Refused = { readonly ok: false; readonly faults: readonly Fault[] };

/** The file of one game as it stands; refused when it is not there or cannot be read. */
export async function readGameText(root: string, gameId: string): Promise<({ ok: true } & GameText) | Refused> {
  const file = `games/${gameId}/game.yaml`;
  const text = /^[\w-]+$/.test(gameId) ? await readText(join(root, file)) : null;
  if (text === null) return { ok: false, faults: [faultAt(file, 1, '', 'is missing; name a game by its folder')] };
  const yaml = readYaml(text);
  const misshapen = yaml.syntaxFaults.length > 0 ? [] : checkShape('game', yaml.body);
  const faults = [
    ...yaml.syntaxFaults.map(({ line, reason }) => faultAt(file, line, '', reason)),
    ...misshapen.map(({ at, reason }) => faultAt(file, yaml.lineOf(at), yaml.fieldOf(at), reason)),
  ];
  if (faults.length > 0) return { ok: false, faults };
  const regions = readYaml((await readText(join(root, 'regions', 'regions.yaml'))) ?? '').body as RegionsFile | null;
  const countries = new Set([...knownCountries(), ...Object.keys(regions?.countries ?? {})]);
  return { ok: true, file, text: String(text), body: yaml.body as GameFile, countries };
}

/** The faults of a table, as those of any other file. */
export function locateSheetFaults(file: string, faults: readonly SheetFault[]): Fault[] {
  return faults
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, column, reason }) => faultAt(file, line, column, reason));
}

export type GoodsImport =
  | { readonly ok: true; readonly file: string; readonly lines: readonly string[]; readonly notes: readonly string[] }
  | Refused;

/**
 * @param options.isComplete what the table does not name goes
 * @param options.isTrial says what would change and writes nothing
 */
export async function importGoods(
  root: string,
  game: GameText,
  sheet: GoodsSheet,
  options: ReadOptions & { readonly isComplete: boolean; readonly isTrial: boolean },
): Promise<GoodsImport> {
  const { file, body } = game;
  const changed = changeGoods(body, sheet, options.isComplete);
  if (isDeepStrictEqual(changed, body)) return { ok: true, file, lines: [], notes: [] };
  const text = editYaml(game.text, changed);
  if (text === null) {
    const reason = 'is written in a way that cannot be edited in place; make this change by hand';
    return { ok: false, faults: [faultAt(file, 1, '', reason)] };
  }
  const faults = await findNewFaults(root, new Map([[file, text]]), options);
  if (faults.length > 0) return { ok: false, faults };
  const refusal = options.isTrial ? null : await replaceFile(join(root, file), text);
  if (refusal !== null) return { ok: false, faults: [faultAt(file, 1, '', refusal)] };
  const lines = planChanges(only(file, body), only(file, changed));
  return { ok: true, file, lines, notes: noteCountryPrices(changed, sheet) };
}

/** A product with prices by country alone is sold, but much else of the file needs a price by currency. */
function noteCountryPrices({ goods }: GameFile, { points }: GoodsSheet): string[] {
  const named = new Set(points.map(({ productId }) => productId));
  return goods
    .filter(({ id, prices, countryPrices }) => named.has(id) && countryPrices && Object.keys(prices).length === 0)
    .map(
      ({ id }) =>
        `"${id}" has prices by country alone: offers, list prices and countries that you add later need one by ` +
        'currency; add a line with an empty country.',
    );
}

function only(file: string, game: GameFile): ConfigurationFiles {
  const id = file.split('/')[1] ?? '';
  return { brands: new Map(), games: new Map([[id, game]]), channels: { channels: [] }, regions: {} };
}

async function readText(path: string): Promise<string | TextFault | null> {
  return readUtf8(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

function faultAt(file: string, line: number, field: string, reason: string): Fault {
  return { file, line, field, reason, sentence: `${file}:${line}: ${field === '' ? '' : `${field}: `}${reason}` };
}
