// The JSON examples of docs/game-server-contract.md by their section: the first is what is sent, the others are
// answers.
import { readFile } from 'node:fs/promises';

const DOCUMENT = new URL('../../docs/game-server-contract.md', import.meta.url);

export type Examples = ReadonlyMap<string, readonly unknown[]>;

export async function readExamples(): Promise<Examples> {
  const found = new Map<string, unknown[]>();
  let section = '';
  let block: string[] | null = null;
  for (const line of (await readFile(DOCUMENT, 'utf8')).split('\n')) {
    if (block === null) {
      section = /^##+ (.+)$/.exec(line)?.[1] ?? section;
      if (line === '```json') block = [];
    } else if (line === '```') {
      found.set(section, [...(found.get(section) ?? []), JSON.parse(block.join('\n'))]);
      block = null;
    } else block.push(line);
  }
  return found;
}

/** Returns a section of the document, up to the next heading of any level. */
export async function readSection(heading: string): Promise<string> {
  const parts = (await readFile(DOCUMENT, 'utf8')).split(/^##+ /m);
  return parts.find((part) => part.startsWith(`${heading}\n`)) ?? '';
}
