// A shop's own folder: brands/, games/, channels/ and messages/, and .env with its settings. REFILL_SHOP names it, as
// `--shop` does; without one it is the project itself, with the demonstration's.
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { decodeUtf8 } from '#server/platform/utf8.ts';
import type { Finding } from './finding.ts';
import type { Variables } from './setting.ts';

const project = resolve(import.meta.dirname, '..', '..', '..');

/** `message` is one sentence for a person. */
class ShopFolderFault extends Error {
  override readonly name = 'ShopFolderFault';
}

/** Absolute. */
export function locateShop(variables: Variables): string {
  return variables['REFILL_SHOP'] ? resolve(variables['REFILL_SHOP']) : project;
}

/** Returns true for the folder of the program itself, whose brands are a demonstration. */
export const isProject = (folder: string): boolean => resolve(folder) === project;

/** Locates the embedded database, the simulators and the logs of this shop: apart from those of other shops. */
export function locateData(variables: Variables): string {
  return variables['REFILL_DATA'] ? resolve(variables['REFILL_DATA']) : join(locateShop(variables), '.data');
}

/**
 * The variables with those of the shop's `.env`, which are weaker than what is set already; as they are without a shop.
 * @param given of the command line; goes before REFILL_SHOP
 * @throws ShopFolderFault when there is no such folder, or its `.env` cannot be read
 */
export function withShopSettings(variables: Variables, given?: string): Variables {
  const named = given ?? variables['REFILL_SHOP'];
  if (!named) return variables;
  const folder = resolve(named);
  if (!isFolder(folder))
    throw new ShopFolderFault(
      `There is no folder ${folder}: name the folder of your shop, or make one by \`refill new\`.`,
    );
  const set = Object.entries(variables).filter(([, value]) => value !== undefined && value !== '');
  return { ...readEnvFile(join(folder, '.env')), ...Object.fromEntries(set), REFILL_SHOP: folder };
}

/**
 * Finds the lines of the shop's `.env` that set nothing, or something else than they seem to: Node, a shell and systemd
 * read the same line in different ways.
 * @returns them by file and line, and never by their text: it may be half of a secret
 */
export function findStrayLines(variables: Variables): Finding[] {
  if (!variables['REFILL_SHOP']) return [];
  const path = join(locateShop(variables), '.env');
  return listStrayLines(readIfAllowed(path)).map(({ line, fault }) => ({ name: `${path}:${line}`, ...LINES[fault] }));
}

const QUOTE = 'write the whole value in single quotes';
const LINES = {
  nothing: { reason: 'sets nothing', remedy: 'write NAME=value, or # in front of a note' },
  cut: { reason: 'is cut at its #: what follows is no part of the value', remedy: QUOTE },
  tail: { reason: 'has text behind its closing quote, which is no part of the value', remedy: QUOTE },
  other: {
    reason: 'has a $, a backslash or a quote, which a shell or systemd would read as something else',
    remedy: QUOTE,
  },
} as const;
type LineFault = keyof typeof LINES;

/** One that may not be read has set nothing; `withShopSettings` refuses it where its settings are wanted. */
function readIfAllowed(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** @returns numbers of lines from 1 */
function listStrayLines(text: string): { line: number; fault: LineFault }[] {
  const stray: { line: number; fault: LineFault }[] = [];
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]?.trim() ?? '';
    if (line === '' || line.startsWith('#')) continue;
    const equals = line.indexOf('=');
    const value = equals < 0 ? undefined : line.slice(equals + 1).trimStart();
    const fault = value === undefined ? 'nothing' : findValueFault(value);
    if (fault) stray.push({ line: index + 1, fault });
    if (value !== undefined) index += countMoreLines(value, lines.slice(index + 1));
  }
  return stray;
}

/** A note behind the value is well: a blank is before its #. */
function findValueFault(value: string): LineFault | null {
  const quoted = /^(["'`])(.*?)\1(.*)$/.exec(value);
  if (!quoted) {
    if (/^["'`]/.test(value)) return null;
    const own = value.replace(/(?<!\s)\s+#.*$/, '');
    if (own.includes('#')) return 'cut';
    return /[$\\"'`]/.test(own) ? 'other' : null;
  }
  const [, quote, inside = '', behind = ''] = quoted;
  if (!/^\s*(?:#.*)?$/.test(behind)) return 'tail';
  return quote !== "'" && /[$\\`]/.test(inside) ? 'other' : null;
}

/** A value in quotes goes on to the next of them, over lines; one that nothing closes ends with its line. */
function countMoreLines(value: string, following: readonly string[]): number {
  const quote = /^["'`]/.exec(value)?.[0];
  if (quote === undefined || value.includes(quote, 1)) return 0;
  return following.findIndex((line) => line.includes(quote)) + 1;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ShopFolderFault(
      `${path} cannot be looked at (${code ?? message}): let the account of this process into the folders above it.`,
    );
  }
}

function readEnvFile(path: string): Variables {
  try {
    const text = decodeUtf8(readFileSync(path));
    if (typeof text === 'string') return parseEnv(text);
    throw new ShopFolderFault(`${path}:${text.line}: ${text.reason}.`);
  } catch (error) {
    if (error instanceof ShopFolderFault) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    throw new ShopFolderFault(
      `${path} cannot be read by the account of this process (${code ?? message}): let it read the file (chgrp, ` +
        'chmod 640), or take the file away where all settings stand in the environment.',
    );
  }
}
