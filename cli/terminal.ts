// Prints and ends every command alike: sentences and tables for people, one JSON object for programs, and the exit
// codes.
import { createInterface } from 'node:readline/promises';
import Table from 'cli-table3';

/** A command prints and reads here: the process's own streams, or a test's. */
export type Terminal = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  /** A table that is read in again: no character of it is cleaned. Left out: `out` does it. */
  readonly table?: (text: string) => void;
  readonly err: (text: string) => void;
  readonly setExitCode: (code: number) => void;
  /** Asks a person, who answers y or anything else. Null: no person is there, as in a script. */
  readonly ask: ((question: string) => Promise<boolean>) | null;
};

/**
 * 1: a fault, wrong input or a difference found. 3: understood, but not possible in the state things
 * are in; nothing was changed.
 */
export const EXIT = { ok: 0, fault: 1, impossible: 3 } as const;

/** Wrong input: its message is the whole story, one sentence. */
export class InputFault extends Error {
  override readonly name = 'InputFault';
}

export const processTerminal: Terminal = {
  environment: process.env,
  out: (text) => console.log(text),
  err: (text) => console.error(text),
  setExitCode: (code) => {
    process.exitCode = code;
  },
  ask: process.stdin.isTTY && process.stdout.isTTY ? askPerson : null,
};

async function askPerson(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(?:es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}

/** @throws InputFault for two forms of one answer */
export function refuseTwoForms({ json, csv }: { json?: boolean | undefined; csv?: boolean | undefined }): void {
  if (json && csv) throw new InputFault('--json and --csv: choose one of them.');
}

export function printJson(terminal: Terminal, answer: object): void {
  terminal.out(writeJson(answer, 2));
}

/** JSON that keeps every character and steers no terminal: what a terminal obeys is written as `\u202e`. */
export function writeJson(answer: unknown, indent = 0): string {
  return JSON.stringify(answer, null, indent).replace(STEERING, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Control characters, and those that turn the direction of the text behind them.
 * @source Unicode Standard Annex 9, sections 2.1 to 2.5: explicit embeddings, overrides and isolates
 */
const STEERING = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** A text of a player, a provider or an operator, on one line: an escape sequence is not a name. */
export const cleanText = (text: string): string => text.replace(STEERING, ' ');

/** Whole sentences and tables, whose own line ends and tabs stay. */
export const cleanLines = (text: string): string =>
  text.replace(STEERING, (character) => (character === '\n' || character === '\t' ? character : ' '));

/** A plain table without frame or colour: it can be cut up by other tools. */
export function drawTable(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const none = {
    top: '',
    'top-mid': '',
    'top-left': '',
    'top-right': '',
    bottom: '',
    'bottom-mid': '',
    'bottom-left': '',
    'bottom-right': '',
    left: '',
    'left-mid': '',
    mid: '',
    'mid-mid': '',
    right: '',
    'right-mid': '',
    middle: '  ',
  };
  const table = new Table({
    head: [...head],
    chars: none,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  table.push(...rows.map((row) => row.map(show)));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

function show(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return cleanText(text);
}
