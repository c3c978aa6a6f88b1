// npm run dump: writes what tests compare with and start from. `schema` is migrations/schema.sql, after every change
// of SQL; `filled` is a filled database for the upgrade test, testing/dumps/<newest migration>.sql.gz, before the
// next migration is written; `admin-api` is docs/admin-openapi.json, after every change of contracts/admin.ts;
// `game-contract` is docs/game-server-openapi.json, after every change of contracts/game-*.ts or of the examples;
// `privacy` is docs/privacy.md, after every change of server/modules/privacy/personal-data or contracts/retention.ts;
// `pictures` is pictures/, the sizes of the product's own pictures, after every change of one or of the code for it;
// `reference` is docs/reference, after every change of a command, a route, an answer code or an event.
import { writeFile } from 'node:fs/promises';
import { openDb } from '#server/platform/database/db.ts';
import { SCHEMA_HEADER, dumpSchema } from '#server/platform/database/schema/schema-dump.ts';
import { createTestDatabase } from '#testing/database.ts';
import startDatabases from '#testing/global-database.ts';
import { answerHelp } from './usage.ts';

const REFERENCE = new URL('../docs/reference/', import.meta.url);
const SCHEMA = new URL('../migrations/schema.sql', import.meta.url);

async function writeSchema(templateUrl: string): Promise<void> {
  const database = await createTestDatabase(templateUrl);
  const db = openDb(database.url, { max: 1, preparesStatements: false, onError: () => undefined });
  try {
    await writeFile(SCHEMA, `${SCHEMA_HEADER}${await dumpSchema(db)}`);
    console.log('migrations/schema.sql is written.');
  } finally {
    await db.end();
    await database.drop();
  }
}

async function writeFilled(templateUrl: string): Promise<void> {
  // Only here, so that the schema can be written while the shop does not run.
  const [{ WITH_TENDERS }, { createTestShop }, { fillShop, listMissingValues }, { storeDump }] = await Promise.all([
    import('#testing/cards.ts'),
    import('#testing/shop.ts'),
    import('#testing/dumps/fill-shop.ts'),
    import('#testing/dumps/stored-dumps.ts'),
  ]);
  const shop = await createTestShop({ ...WITH_TENDERS, templateUrl });
  try {
    await fillShop(shop);
    const missing = await listMissingValues(shop.db);
    if (missing.length > 0) throw new Error(`the filled shop has no row with ${missing.join(', ')}`);
    // A few are enough to tell that they survive; all of them are megabytes in every clone for ever.
    await shop.db.query(
      'delete from picture_file where hash not in (select hash from picture_file order by length(bytes), hash limit 3)',
    );
    console.log(`${await storeDump(shop.db)} is written.`);
  } catch (error) {
    console.error(
      shop.logLines
        .filter((line) => /"level":"?(4|5|6|warn|error)/.test(line))
        .slice(-5)
        .join(''),
    );
    throw error;
  } finally {
    await shop.close();
  }
}

async function writeReferencePages(templateUrl: string): Promise<void> {
  const [{ createTestShop }, { writeReference }] = await Promise.all([
    import('#testing/shop.ts'),
    import('./reference/write-pages.ts'),
  ]);
  const shop = await createTestShop({ templateUrl });
  try {
    const pages = await writeReference(JSON.parse((await shop.get('/openapi.json')).text));
    for (const [name, text] of Object.entries(pages)) await writeFile(new URL(name, REFERENCE), text);
    console.log(`docs/reference is written: ${Object.keys(pages).join(', ')}.`);
  } finally {
    await shop.close();
  }
}

async function writeAdminApi(): Promise<void> {
  const { readAdminApi } = await import('#server/operator/admin/admin-part.ts');
  await writeDocument('admin-openapi.json', await readAdminApi());
}

async function writeGameContractFile(): Promise<void> {
  const [{ writeGameContract }, { readExamples }] = await Promise.all([
    import('./game-contract/open-api.ts'),
    import('./game-contract/examples.ts'),
  ]);
  await writeDocument('game-server-openapi.json', writeGameContract(await readExamples()));
}

async function writePrivacy(): Promise<void> {
  const { writePrivacyPage } = await import('./reference/privacy-page.ts');
  await writeFile(new URL('../docs/privacy.md', import.meta.url), writePrivacyPage());
  console.log('docs/privacy.md is written.');
}

async function writePictures(): Promise<void> {
  const { shipPictures } = await import('./pictures.ts');
  console.log(`pictures/ is written: the sizes of ${await shipPictures()} pictures.`);
}

async function writeDocument(name: string, document: unknown): Promise<void> {
  await writeFile(new URL(`../docs/${name}`, import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
  console.log(`docs/${name} is written.`);
}

/** They need no database. */
const DOCUMENTS: Readonly<Record<string, () => Promise<void>>> = {
  'admin-api': writeAdminApi,
  'game-contract': writeGameContractFile,
  pictures: writePictures,
  privacy: writePrivacy,
};

const WRITERS: Readonly<Record<string, (templateUrl: string) => Promise<void>>> = {
  schema: writeSchema,
  filled: writeFilled,
  reference: writeReferencePages,
};

const USAGE = `Usage: npm run dump -- ${[...Object.keys(WRITERS), ...Object.keys(DOCUMENTS)].join(' | ')} (or several)

What each is, and after which change: the top of scripts/dump.ts.`;

answerHelp(USAGE);
const named = process.argv.slice(2);
const wanted = named.filter((name) => !(name in DOCUMENTS));
const unknown = wanted.find((name) => !(name in WRITERS));
if (unknown !== undefined || named.length === 0) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  for (const name of named) await DOCUMENTS[name]?.();
  if (wanted.length > 0) await writeWithDatabase(wanted);
}

async function writeWithDatabase(names: readonly string[]): Promise<void> {
  let templateUrl = '';
  const stop = await startDatabases({
    provide: (_name: string, value: string) => {
      templateUrl = value;
    },
  } as never);
  try {
    for (const name of names) await WRITERS[name]?.(templateUrl);
  } finally {
    await stop();
  }
}
