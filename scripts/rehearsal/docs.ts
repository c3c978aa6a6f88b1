// `npm run rehearsal -- docs`: every block of the documents below `<!-- run -->`, in the order of the walks and as it
// stands, in a copy of the checkout in a scratch folder. Below `<!-- run until: <words> -->` stands a program that
// stays: it is waited for until it says these words, and ended at the end. `, may end with 1 2`: the page says so.
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Block, readBlocks, readPage } from '#scripts/reference/documents.ts';
import { projectRoot } from '#scripts/run-tool.ts';
import { findQuietPort } from '#scripts/start/start-ports.ts';
import { runProgram, startProgram, waitFor } from './processes.ts';

/** Each goes on where the one before has led, unless it begins in the checkout. */
const WALKS = [
  { page: 'docs/walks/publisher.md' },
  { page: 'docs/walks/game-engineer.md' },
  { page: 'docs/walks/contributor.md', isInCheckout: true },
  // PostgreSQL is started by no root.
  { page: 'docs/walks/operator.md', isInCheckout: true, needsAccount: true },
  // The last: it leaves a provider in the checkout that is not finished.
  { page: 'docs/walks/provider-engineer.md', isInCheckout: true },
];
/** Not of the checkout itself, or made by it. */
const NOT_COPIED = new Set(['node_modules', '.git', '.data', 'dist']);

/** @returns whether all went well */
export async function rehearseDocs(): Promise<boolean> {
  const scratch = await mkdtemp(join(tmpdir(), 'refill-docs-'));
  const undo: (() => Promise<unknown>)[] = [() => rm(scratch, { recursive: true, force: true })];
  const begun = performance.now();
  try {
    const checkout = join(scratch, 'refill');
    await cp(projectRoot, checkout, {
      recursive: true,
      filter: (path) => path === projectRoot || !NOT_COPIED.has(basename(path)),
    });
    await symlink(join(projectRoot, 'node_modules'), join(checkout, 'node_modules'));
    const reader: Reader = {
      place: join(scratch, 'place'),
      state: join(scratch, 'state'),
      port: await findQuietPort(),
      operatorPort: await findQuietPort(),
    };
    await writeFile(reader.place, checkout);
    await writeFile(reader.state, '');
    let count = 0;
    for (const { page, isInCheckout, needsAccount } of WALKS) {
      if (needsAccount && process.getuid?.() === 0) {
        console.log(`   NOT RUN  ${page}: not as root; run it from another account`);
        continue;
      }
      if (isInCheckout) await writeFile(reader.place, checkout);
      for (const block of readBlocks(page, readPage(page)).filter(({ run }) => run !== null)) {
        const from = performance.now();
        await runBlock(block, reader, undo);
        console.log(`${seconds(from)} s  ${block.page}:${block.line}  ${block.text.split('\n')[0]}`);
        count += 1;
      }
    }
    console.log(`${seconds(begun)} s  ${count} blocks, each as it stands.`);
    return count > 0;
  } catch (error) {
    console.error(`\nThe documents could not be followed: ${(error as Error).message}`);
    return false;
  } finally {
    for (const one of undo.toReversed()) await one().catch((error: unknown) => console.error(String(error)));
  }
}

const seconds = (from: number): string => ((performance.now() - from) / 1000).toFixed(1).padStart(6);

type Reader = {
  /** File that holds the folder in which the reader is. */
  readonly place: string;
  /** File of the variables that the blocks before have set. */
  readonly state: string;
  /** Of the shop that `serve` starts: the page's own may be taken on this machine. */
  readonly port: number;
  readonly operatorPort: number;
};

async function runBlock(block: Block, reader: Reader, undo: (() => Promise<unknown>)[]): Promise<void> {
  const { place, state } = reader;
  const folder = await readFile(place, 'utf8');
  const name = `${block.page}:${block.line}`;
  const text = block.text
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${reader.port}`)
    .replaceAll(/(127\.0\.0\.1:|REFILL_OPERATOR_PORT=)9090\b/g, `$1${reader.operatorPort}`);
  const { mayEndWith = [], until = null } = block.run ?? {};
  const begin = `source "${state}"; cd "${folder.trim()}"`;
  if (until !== null) {
    const ports: Record<string, string> = {
      'npm start': String(await findQuietPort()),
      'npm run dev': String(await findQuietPort()),
      'npm run refill -- serve': String(reader.port),
    };
    const port = ports[text];
    const program = startProgram(name, ['bash', '-c', `${begin}; exec ${text}`], port ? { PORT: port } : {});
    undo.push(() => program.stop());
    return waitFor(`"${until}" of ${name}`, async () => program.said().includes(until), program);
  }
  for (const [, control = '', data = ''] of text.matchAll(/^(\S+pg_ctl) -D (\S+) .*start$/gm))
    undo.push(() => runProgram(['bash', '-c', `${begin}; ${control} -D ${data} stop -m fast`]));
  // A page that says with what its commands may end is read on then, as a person would.
  const isWell = ['0', ...mayEndWith].join('|');
  const script = `${begin}; set -aEuo pipefail
trap 'code=$?; case $code in ${isWell}) ;; *) exit $code ;; esac' ERR
trap 'pwd > "${place}"; export -p > "${state}"' EXIT
${text}`;
  const { code, said } = await runProgram(['bash', '-c', script]);
  if (code !== 0 && !mayEndWith.includes(String(code)))
    throw new Error(`${name} ended with ${code}:\n${said.slice(-3000)}`);
}
