// One more revision: stock, pictures, rows, history, and the word to all processes, in the transaction of the caller.
import type { Queryable } from '#server/platform/database/db.ts';
import type { ConfigurationFiles } from '#server/modules/configuration/configuration.ts';
import type { PictureBytes } from '#server/modules/configuration/pictures/make-pictures.ts';
import { retirePictures, writePictures } from '#server/modules/configuration/pictures/picture-store.ts';
import { pack, stockTotals } from '#server/modules/configuration/stored-files.ts';
import { writeStock, writeStored } from '#server/modules/configuration/store.ts';
import { keepRevisionFiles } from './revision-store.ts';

/** The caller holds the lock of the configuration, and `revision` is one above the last. */
export async function writeRevision(
  db: Queryable,
  change: {
    readonly revision: number;
    readonly files: ConfigurationFiles;
    /** Sizes of pictures that the database lacks. */
    readonly lacking: readonly PictureBytes[];
    readonly appliedBy: string;
    readonly summary: readonly string[];
  },
): Promise<void> {
  const { revision, files, lacking, appliedBy, summary } = change;
  const rows = pack(files);
  await writeStock(db, stockTotals(files));
  await writePictures(db, lacking);
  const pictures = [...(files.pictures?.values() ?? [])];
  await retirePictures(
    db,
    pictures.flatMap((made) => made.files.map(({ hash }) => hash)),
  );
  await writeStored(db, { revision, files: rows, appliedBy, summary });
  await keepRevisionFiles(db, revision, rows);
}
