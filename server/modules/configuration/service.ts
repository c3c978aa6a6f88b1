// The configuration's verbs: read and check files, plan and apply a change, load what is
// applied and follow its changes.
import { transaction, type Db, type Queryable } from '#server/platform/database/db.ts';
import { buildConfiguration, type Configuration, type ConfigurationFiles } from './configuration.ts';
import type { Fault, Finding } from './checks/finding-types.ts';
import { listPictures } from './pictures/list-rules.ts';
import { type KnownPictures, type MadePictures, makePictures, NOTHING_KNOWN } from './pictures/make-pictures.ts';
import { readPictureHashes } from './pictures/picture-store.ts';
import type { MadePicture } from './pictures/picture-types.ts';
import { planChanges } from './plan-rules.ts';
import { explainJumps, listPriceEffects, type PriceEffect } from './price-plan-rules.ts';
import { type MissingText, readFiles, type ReadFiles, type ReadOptions } from './files/read-files.ts';
import { explainRemovals, listRemovals } from './removal-rules.ts';
import { writeRevision } from './revisions/write-revision.ts';
import { countOpenWork, findOversold, hasTables, lockConfiguration, readStored, type StockTotal } from './store.ts';
import { stockTotals, unpack } from './stored-files.ts';

export type { Brand, BrandRegion, Configuration, Game, Product, SubGame } from './configuration.ts';
export type { Channel, Method, SubChannel } from './types/channel-types.ts';
export { type FileOffer, runOf } from './types/offer-types.ts';
export type { LevelCoupon, PointsRate, Vip } from './types/vip-types.ts';
export type { PromoCode } from './types/promo-types.ts';
export type { Fault } from './checks/finding-types.ts';
export { type PriceEffect, showPercent } from './price-plan-rules.ts';
export { formFor, formsFor } from './types/counting-types.ts';
export {
  type EventStep,
  type EventWindow,
  type GameEvent,
  isEndless,
  isSeenBy,
  kindsOfOpenEvents,
  windowsAt,
} from './types/game-events-types.ts';
export { countingZone } from './counting-zone-rules.ts';
export { countryName, currencyName, type Display, displayFor, nameAt, regionName } from './display.ts';
export type { MissingText } from './files/read-files.ts';
export { isSoldIn, plainTwinOf } from './configuration.ts';
export { createPictureShelf } from './pictures/serve-pictures.ts';
export { readDrawing } from './drawings/drawing.ts';
export { writeSchemas } from './files/schema.ts';
export { readPreview } from './read-preview.ts';
export { readListFile } from './files/read-list-file.ts';
export { type GameText, importGoods, locateSheetFaults, readGameText } from './goods-sheet/import-goods.ts';
export { readCsv } from './goods-sheet/csv-cells.ts';
export type { CsvLine } from './goods-sheet/sheet-types.ts';
export { listSheetRows } from './goods-sheet/list-sheet-rules.ts';
export { readAppStore } from './goods-sheet/read-app-store-rules.ts';
export { readGooglePlay } from './goods-sheet/read-google-play-rules.ts';
export { readSheet } from './goods-sheet/read-sheet-rules.ts';
export { importTexts, TEXT_COLUMNS } from './files/import-texts.ts';
export { foldWide, unfoldWide } from './goods-sheet/wide-sheet-rules.ts';
export { type StoreTake, takeStorePrices } from './goods-sheet/store-prices-rules.ts';
export { SHEET_COLUMNS } from './goods-sheet/sheet-types.ts';
export { listRevisions, readRevisionFiles } from './revisions/revision-store.ts';
export { planRollback, readRevision, rollBack } from './revisions/roll-back.ts';
export { writeFiles } from './revisions/write-files.ts';
export { watchConfiguration } from './watch.ts';

type Refused = { readonly ok: false; readonly faults: readonly Fault[]; readonly warnings: readonly Fault[] };

/** The checked files of a folder, as revision 0, with the prices of this machine's time. Touches no database. */
export async function readConfiguration(
  root: string,
  options: ReadOptions = {},
): Promise<{ ok: true; configuration: Configuration; warnings: readonly Fault[] } | Refused> {
  const read = await readFiles(root, options);
  if (!read.ok) return read;
  return { ok: true, configuration: buildConfiguration(read.files, 0, Date.now()), warnings: read.warnings };
}

/** Lists the texts that the languages of the brands lack; refused when a file cannot be read. Touches no database. */
export async function listMissingTexts(root: string): Promise<{ ok: true; texts: readonly MissingText[] } | Refused> {
  const read = await readFiles(root);
  if (!read.ok && read.missingTexts === null) return read;
  return { ok: true, texts: read.missingTexts ?? [] };
}

export type Plan = {
  ok: true;
  lines: readonly string[];
  warnings: readonly Fault[];
  /** Lists the prices that would differ from now, by product and country. */
  prices: readonly PriceEffect[];
  /** Of the files, as it would be applied. */
  configuration: Configuration;
};

/**
 * Lists the changes that `applyConfiguration` would make, in lines for a person; none when files and database agree.
 * Writes nothing.
 */
export async function planConfiguration(db: Db, root: string, options: ReadOptions = {}): Promise<Plan | Refused> {
  const read = await readWithPictures(db, root, options);
  if (!read.ok) return read;
  // A plan changes nothing, so it does not make the tables either: everything is new then.
  const isThere = await hasTables(db);
  const oversold = isThere ? await findOversold(db, stockTotals(read.files), false) : [];
  if (oversold.length > 0) return refuseOversold(oversold, read);
  const stored = isThere ? await readStored(db) : { files: [], at: Date.now() };
  const before = unpack(stored.files);
  const prices = listPriceEffects(before, read.files, stored.at);
  const asked = [...explainJumps(prices, read.files), ...(await findRemovals(db, before, read.files))];
  return {
    ok: true,
    warnings: [...read.warnings, ...asked.map((finding) => read.locate({ ...finding, level: 'warning' }))],
    configuration: buildConfiguration(read.files, 0, stored.at),
    lines: planChanges(before, read.files),
    prices,
  };
}

export type Applied = {
  ok: true;
  /** False when files and database agreed already: then nothing was written and the revision stays. */
  changed: boolean;
  revision: number;
  /** The lines of the plan. */
  summary: readonly string[];
  warnings: readonly Fault[];
};

export type ApplyOptions = {
  readonly appliedBy?: string;
  /** Prices that fall by more than half or triple are written: somebody has looked at them. */
  readonly acceptsPriceJumps?: boolean;
  /** Brands go, and games with open orders: somebody wants that. */
  readonly acceptsRemovals?: boolean;
  /** Called when the files are right: makes the tables that they are written to. */
  readonly prepare?: () => Promise<void>;
};

/**
 * Writes the files of a folder in one transaction; on any fault nothing is written. `appliedBy` is kept in the history.
 */
export async function applyConfiguration(
  db: Db,
  root: string,
  options: ReadOptions & ApplyOptions = {},
): Promise<Applied | Refused> {
  const read = await readWithPictures(db, root, options);
  if (!read.ok) return read;
  const { files } = read;
  await options.prepare?.();
  return transaction(db, async (client): Promise<Applied | Refused> => {
    await lockConfiguration(client);
    const totals = stockTotals(files);
    const oversold = await findOversold(client, totals, true);
    if (oversold.length > 0) return refuseOversold(oversold, read);
    const stored = await readStored(client);
    const before = unpack(stored.files);
    const jumps = explainJumps(listPriceEffects(before, files, stored.at), files);
    const removals = await findRemovals(client, before, files);
    const isRefusing = ({ level }: Finding) => level === 'fault';
    const warnings = [...read.warnings, ...removals.filter((one) => !isRefusing(one)).map((one) => read.locate(one))];
    const refused = [
      ...(options.acceptsPriceJumps ? [] : jumps),
      ...(options.acceptsRemovals ? [] : removals.filter(isRefusing)),
    ];
    if (refused.length > 0) return { ok: false, faults: refused.map((finding) => read.locate(finding)), warnings };
    const summary = planChanges(before, files);
    if (summary.length === 0) return { ok: true, changed: false, revision: stored.revision, summary, warnings };
    const revision = stored.revision + 1;
    const { lacking } = read;
    const appliedBy = options.appliedBy ?? 'refill apply';
    await writeRevision(client, { revision, files, lacking, appliedBy, summary });
    return { ok: true, changed: true, revision, summary, warnings };
  });
}

/** Loads the configuration of the running shop. Revision 0 without brands when nothing was applied yet. */
export async function loadConfiguration(db: Db): Promise<Configuration> {
  const { revision, at, files } = await readStored(db);
  return buildConfiguration(unpack(files), revision, at);
}

type Read = Extract<ReadFiles, { ok: true }> & Pick<MadePictures, 'lacking'> & { pictures: MadePictures['made'] };

/** The files with what their pictures became. Making them takes seconds, so it happens before any transaction. */
async function readWithPictures(db: Db, root: string, options: ReadOptions): Promise<Read | Refused> {
  const read = await readFiles(root, options);
  if (!read.ok) return read;
  const { made, lacking, findings } = await makePictures(root, listPictures(read.files), await readKnownPictures(db));
  if (findings.length > 0) return { ok: false, faults: findings.map(read.locate), warnings: read.warnings };
  return { ...read, files: { ...read.files, pictures: made }, pictures: made, lacking };
}

async function findRemovals(
  db: Queryable,
  before: ConfigurationFiles,
  after: ConfigurationFiles,
): Promise<readonly Finding[]> {
  const removals = listRemovals(before, after);
  return explainRemovals(removals, await countOpenWork(db, removals));
}

async function readKnownPictures(db: Db): Promise<KnownPictures> {
  if (!(await hasTables(db))) return NOTHING_KNOWN;
  const [{ files }, hashes] = await Promise.all([readStored(db), readPictureHashes(db)]);
  const made = files.filter(({ kind }) => kind === 'picture').map(({ body }) => body as MadePicture);
  return { bySource: new Map(made.map((picture) => [picture.source, picture])), hashes };
}

function refuseOversold(
  oversold: readonly (StockTotal & { used: number })[],
  read: Extract<ReadFiles, { ok: true }>,
): Refused {
  const faults = oversold.map(({ gameId, productId, total, used }) =>
    read.locate({
      level: 'fault',
      file: `games/${gameId}/game.yaml`,
      at: ['goods', read.files.games.get(gameId)?.goods.findIndex(({ id }) => id === productId) ?? 0, 'stock'],
      reason: `${total} is less than the ${used} sold or reserved already; write ${used} or more`,
    }),
  );
  return { ok: false, faults, warnings: read.warnings };
}
