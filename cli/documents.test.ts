// Documents name commands and options that there are.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from './program.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
// The changelog and decisions speak of their day.
const pages = globSync(
  ['*.md', 'docs/*.md', 'docs/providers/*.md', 'docs/walks/*.md', 'docs/reference/README.md', '.github/**/*.md'],
  { cwd: root },
).filter((path) => path !== 'CHANGELOG.md');
const program = createProgram({
  environment: {},
  out: () => undefined,
  err: () => undefined,
  setExitCode: () => undefined,
  ask: null,
});

/** Commands of a page: in a line of a block, or between backquotes; without what pipes and comments add. */
function commandsIn(text: string): string[] {
  return [
    ...text.matchAll(
      /`(?:npm run (?:--silent )?refill -- |refill )([a-z][^`]*)`|^ *(?:npm run (?:--silent )?refill -- |refill )([a-z][^#\n]*)/gm,
    ),
  ]
    .map(([, inText, inBlock]) => (inText ?? inBlock ?? '').split(/ [|>] | && |;|\)/)[0]?.trim() ?? '')
    .filter((line) => !/[{}|]/.test(line.split(' ').slice(0, 2).join(' ')));
}

test('a command that is not there would be seen', () => {
  expect(findWrong('`refill schema`, `refill plan --price` and `refill report revenue --by day`')).toEqual([
    'schema',
    'plan --price',
  ]);
});

test.each(pages)('%s names commands and options that there are', (page) => {
  expect(findWrong(read(page))).toEqual([]);
});

function findWrong(text: string): string[] {
  return commandsIn(text).filter((line) => {
    let command: Command = program;
    const words = line.split(/\s+/);
    while (words[0]) {
      const next = command.commands.find((one) => one.name() === words[0] || one.aliases().includes(words[0] ?? ''));
      if (!next) break;
      command = next;
      words.shift();
    }
    const known = [...program.options, ...command.options].map(({ long }) => long);
    const options = words.filter((word) => /^--\w/.test(word)).map((word) => word.replace(/[=,.:].*$/, ''));
    return command === program || options.some((option) => !known.includes(option));
  });
}
