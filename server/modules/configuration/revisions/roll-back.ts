// The database gets an earlier revision's configuration again, as a new revision. It goes through today's checks, as
// files of today would; the folder of the shop stays as it is.
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Db, transaction } from '#server/platform/database/db.ts';
import { pathInside } from '#server/platform/path-inside.ts';
import type { Fault } from '#server/modules/configuration/checks/finding-types.ts';
import type { ConfigurationFiles } from '#server/modules/configuration/configuration.ts';
import { readFiles, type ReadOptions } from '#server/modules/configuration/files/read-files.ts';
import { readPictureHashes } from '#server/modules/configuration/pictures/picture-store.ts';
import { planChanges } from '#server/modules/configuration/plan-rules.ts';
import { listPriceEffects, type PriceEffect } from '#server/modules/configuration/price-plan-rules.ts';
import {
  explainStrangeName,
  findStrangeName,
  stockTotals,
  unpack,
} from '#server/modules/configuration/stored-files.ts';
import { findOversold, lockConfiguration, readStored } from '#server/modules/configuration/store.ts';
import { readRevisionFiles } from './revision-store.ts';
import { writeFiles } from './write-files.ts';
import { writeRevision } from './write-revision.ts';

type Refused = { readonly ok: false; readonly reasons: readonly string[] };

/** The files of a revision; refused when there is none, or its files are not kept. */
export async function readRevision(
  db: Db,
  revision: number,
): Promise<{ readonly ok: true; readonly files: ConfigurationFiles } | Refused> {
  const found = await readRevisionFiles(db, revision);
  if (!found) return { ok: false, reasons: [`There is no revision ${revision}: \`refill revisions\` lists them.`] };
  if (!found.files) {
    const why =
      `The files of revision ${revision} are not kept: it is an old one, or a version of the product applied it ` +
      'that kept none';
    return { ok: false, reasons: [`${why}. Take them out of your repository and apply them.`] };
  }
  const strange = findStrangeName(found.files);
  if (strange !== null)
    return { ok: false, reasons: [`${explainStrangeName(strange)} Nothing was read: the table was written by hand.`] };
  return { ok: true, files: unpack(found.files) };
}

export type Rollback = {
  readonly ok: true;
  /** Lists the changes; empty when the database says the same already. */
  readonly lines: readonly string[];
  readonly prices: readonly PriceEffect[];
  readonly files: ConfigurationFiles;
};

/** @param root folder of the shop, of which logos, icons and drawings are read */
export async function planRollback(
  db: Db,
  root: string,
  revision: number,
  options: ReadOptions,
): Promise<Rollback | Refused> {
  const read = await readRevision(db, revision);
  if (!read.ok) return read;
  const { files } = read;
  const [faults, hashes, oversold, stored] = [
    await checkRevision(root, files, options),
    await readPictureHashes(db),
    await findOversold(db, stockTotals(files), false),
    await readStored(db),
  ];
  const reasons = [
    ...faults.map(({ sentence }) => `revision ${revision}: ${sentence}`),
    ...listLostPictures(files, hashes).map(
      (name) =>
        `revision ${revision}: ${name}: its sizes are not kept any more; apply the folder with that picture instead`,
    ),
    ...oversold.map(
      ({ gameId, productId, total, used }) =>
        `revision ${revision}: the stock of ${gameId} ${productId} was ${total}, and ${used} are sold or ` +
        'reserved by now',
    ),
  ];
  if (reasons.length > 0) return { ok: false, reasons };
  const before = unpack(stored.files);
  return {
    ok: true,
    files,
    lines: planChanges(before, files),
    prices: listPriceEffects(before, files, stored.at),
  };
}

/** Writes what was planned. @returns the new revision; null when the database said the same already */
export async function rollBack(
  db: Db,
  { files }: Pick<Rollback, 'files'>,
  { revision, appliedBy }: { readonly revision: number; readonly appliedBy: string },
): Promise<number | null> {
  return transaction(db, async (client) => {
    await lockConfiguration(client);
    const stored = await readStored(client);
    // Somebody may have applied since it was shown: the history tells what it came to.
    const summary = planChanges(unpack(stored.files), files);
    if (summary.length === 0) return null;
    if ((await findOversold(client, stockTotals(files), true)).length > 0 || (await hasLost(client, files)))
      throw new Error('stock was sold, or a picture went, since the rollback was looked at; look at it again');
    const next = stored.revision + 1;
    const head = `rolled back to revision ${revision}`;
    await writeRevision(client, { revision: next, files, lacking: [], appliedBy, summary: [head, ...summary] });
    return next;
  });
}

const hasLost = async (db: Parameters<typeof readPictureHashes>[0], files: ConfigurationFiles) =>
  listLostPictures(files, await readPictureHashes(db)).length > 0;

/** Checks the files by today's rules, with the logos, icons and drawings that the folder has today. */
async function checkRevision(root: string, files: ConfigurationFiles, options: ReadOptions): Promise<readonly Fault[]> {
  const folder = await mkdtemp(join(tmpdir(), 'refill-revision-'));
  try {
    await writeFiles(folder, files);
    const rooms = [
      ...[...files.brands.keys()].map((key) => `brands/${key}/assets`),
      ...[...files.games.keys()].map((id) => `games/${id}/assets`),
      'channels/assets',
    ];
    for (const room of rooms) {
      const link = pathInside(folder, room);
      await mkdir(dirname(link), { recursive: true });
      // One that leads nowhere is a folder without files: what is missing in it is told.
      await symlink(pathInside(resolve(root), room), link);
    }
    const read = await readFiles(folder, options);
    return read.ok ? [] : read.faults;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Paths of pictures of which the database has not all sizes any more. */
function listLostPictures({ pictures }: ConfigurationFiles, hashes: ReadonlySet<string>): string[] {
  return [...(pictures ?? [])]
    .filter(([, made]) => made.files.some(({ hash }) => !hashes.has(hash)))
    .map(([key]) => key);
}
