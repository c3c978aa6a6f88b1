// `npm run rehearsal -- docs`: every block of the documents below `<!-- run -->`, in the order of the walks and as it
// stands, in a copy of the checkout in a scratch folder. Below `<!-- run until: <words> -->` stands a program that
// stays: it is waited for until it says these words, and ended at the end.
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Block, readBlocks, readPage } from '#scripts/reference/documents.ts';
import { projectRoot } from '#scripts/run-tool.ts';
import { findQuietPort } from '#scripts/start/start-ports.ts';
import { runProgram, startProgram, waitFor } from './processes.ts';

/** The second goes on where the first has led. */
const WALKS = ['docs/walks/publisher.md', 'docs/walks/game-engineer.md'];
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
    const place = join(scratch, 'place');
    await writeFile(place, checkout);
    const blocks = WALKS.flatMap((page) => readBlocks(page, readPage(page))).filter(({ run }) => run !== null);
    for (const block of blocks) {
      const from = performance.now();
      await runBlock(block, place, undo);
      console.log(`${seconds(from)} s  ${block.page}:${block.line}  ${block.text.split('\n')[0]}`);
    }
    console.log(`${seconds(begun)} s  ${blocks.length} blocks, each as it stands.`);
    return blocks.length > 0;
  } catch (error) {
    console.error(`\nThe documents could not be followed: ${(error as Error).message}`);
    return false;
  } finally {
    for (const one of undo.toReversed()) await one().catch((error: unknown) => console.error(String(error)));
  }
}

const seconds = (from: number): string => ((performance.now() - from) / 1000).toFixed(1).padStart(6);

/** @param place file that holds the folder in which the reader is */
async function runBlock(block: Block, place: string, undo: (() => Promise<unknown>)[]): Promise<void> {
  const folder = await readFile(place, 'utf8');
  const name = `${block.page}:${block.line}`;
  const until = block.run?.until ?? null;
  if (until !== null) {
    // The port of a reader's machine may be taken on this one.
    const port: Record<string, string> = block.text === 'npm start' ? { PORT: String(await findQuietPort()) } : {};
    const program = startProgram(name, ['bash', '-c', `cd "${folder.trim()}" && exec ${block.text}`], port);
    undo.push(() => program.stop());
    return waitFor(`"${until}" of ${name}`, async () => program.said().includes(until), program);
  }
  const script = `cd "${folder.trim()}"; trap 'pwd > "${place}"' EXIT; ${block.text}`;
  const { code, said } = await runProgram(['bash', '-euo', 'pipefail', '-c', script]);
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${said.slice(-3000)}`);
}
