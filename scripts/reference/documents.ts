// Reads the parts of the documents that a reader types or writes: their fenced blocks, and the calls of `refill` in
// them.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { projectRoot } from '#scripts/run-tool.ts';

export type Block = {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /**
   * Reads the mark above the block: `<!-- run -->`; `<!-- run until: <words> -->` of a program that stays; `<!-- run,
   * may end with 1 2 -->` where the page says that a command does.
   */
  readonly run: { readonly until: string | null; readonly mayEndWith: readonly string[] } | null;
};

export type Call = { readonly page: string; readonly line: number; readonly words: readonly string[] };

/** Pages that say what is so today; the changelog says what was. */
export const PAGES: readonly string[] = globSync(['*.md', 'docs/*.md', 'docs/walks/*.md', 'docs/providers/*.md'], {
  cwd: projectRoot,
}).filter((page) => page !== 'CHANGELOG.md');

export const readPage = (page: string): string => readFileSync(join(projectRoot, page), 'utf8');

export function readBlocks(page: string, text: string): Block[] {
  const blocks: Block[] = [];
  let open: { line: number; language: string; lines: string[]; run: Block['run']; indent: number } | undefined;
  let before = '';
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^( *)```(\w*)$/.exec(line);
    if (fence && open) {
      blocks.push({ page, line: open.line, language: open.language, text: open.lines.join('\n'), run: open.run });
      open = undefined;
    } else if (fence)
      open = {
        line: index + 1,
        language: fence[2] ?? '',
        lines: [],
        run: readMark(before),
        indent: (fence[1] ?? '').length,
      };
    else open?.lines.push(line.slice(open.indent));
    if (line.trim() !== '') before = line;
  }
  return blocks;
}

function readMark(line: string): Block['run'] {
  const mark = /^<!-- run(?: until: (.+?)|, may end with ([\d ]+))? -->$/.exec(line.trim());
  return mark ? { until: mark[1] ?? null, mayEndWith: mark[2]?.split(' ') ?? [] } : null;
}

/** Calls in blocks of shell, and in prose between backquotes. */
export function listCalls(page: string, text: string): Call[] {
  const shell = readBlocks(page, text).filter(({ language }) => language === 'sh' || language === 'bash');
  const inBlocks = shell.flatMap((block) =>
    joinLines(block.text).flatMap(({ line, at }) =>
      callsOf(line).map((words) => ({ page, line: block.line + 1 + at, words })),
    ),
  );
  const inProse = text
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(/`((?:npm run|npx) refill [^`]*)`/g)].flatMap(([, code = '']) =>
        callsOf(code.replaceAll('\\|', '|')).map((words) => ({ page, line: index + 1, words })),
      ),
    );
  return [...inBlocks, ...inProse];
}

function joinLines(text: string): { line: string; at: number }[] {
  const lines: { line: string; at: number }[] = [];
  let open = '';
  for (const [at, line] of text.split('\n').entries()) {
    if (line.endsWith('\\')) open += line.slice(0, -1);
    else {
      lines.push({ line: open + line, at });
      open = '';
    }
  }
  return lines;
}

/** `refill` itself, or by npm or npx, after variables that are set for it. */
const CALL = /^(?:[A-Z_]+=\S+ +)*(?:npm run refill(?: --)?|npx refill|refill)(?: +|$)(.*)$/;

function callsOf(line: string): string[][] {
  return (
    line
      .replace(/(?:^|\s)#.*$/, '')
      // Of a subshell, by which variables are set for one command.
      .replace(/^\((.*)\)\s*$/, '$1')
      .split(/&&|;|\|\|| \| /)
      .map((part) => CALL.exec(part.trim())?.[1])
      .filter((rest) => rest !== undefined)
      .map(splitWords)
  );
}

const splitWords = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');

/** @returns why a call cannot be typed as it stands, or null */
export function explainCall(program: Command, { words }: Call): string | null {
  let command = program;
  const rest = [...words];
  const given: string[] = [];
  while (rest.length > 0) {
    const word = rest.shift() ?? '';
    if (word.startsWith('-')) {
      const flag = word.split('=')[0] ?? '';
      if (flag === '--help') continue;
      const option = [...command.options, ...program.options].find(
        ({ long, short }) => long === flag || short === flag,
      );
      if (!option) return `${command.name()} has no option ${flag}`;
      if (option.required && !word.includes('=') && rest.shift() === undefined) return `${flag} lacks its value`;
      continue;
    }
    // A place holder for a whole command says nothing that could be wrong.
    if (/^[<[]/.test(word) && command.commands.length > 0) return null;
    const inner =
      given.length === 0
        ? command.commands.find((one) => one.name() === word || one.aliases().includes(word))
        : undefined;
    if (inner) command = inner;
    else if (command.commands.length > 0) return `${command.name()} has no command ${word}`;
    else given.push(word);
  }
  // Page after page writes `...` for what a reader fills in.
  if (given.includes('...')) return null;
  const wanted = command.registeredArguments.filter(({ required }) => required).length;
  const most = command.registeredArguments.some(({ variadic }) => variadic)
    ? Infinity
    : command.registeredArguments.length;
  if (given.length > most) return `${command.name()} takes no "${given.at(-1)}"`;
  return wanted > given.length && given.length > 0 ? `${command.name()} takes ${wanted} words` : null;
}
