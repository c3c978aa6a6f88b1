// Writes kernel/currencies.ts, kernel/countries.ts and kernel/country-alpha3.ts from the lists of the maintainers
// (decision 30):
//   node scripts/iso.ts <list-one.xml> <codes.json>
// list-one.xml: SIX, maintenance agency of ISO 4217 (also in the package currency-codes); codes.json:
// the package i18n-iso-countries.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from './run-tool.ts';

const LINE = 120;

/** Quoted codes with a comma and a space each. */
function inLines(codes: readonly string[], indent: string): string {
  const perLine = Math.floor((LINE - indent.length) / ((codes[0]?.length ?? 0) + 4));
  const lines = Array.from({ length: Math.ceil(codes.length / perLine) }, (_, line) =>
    codes.slice(line * perLine, (line + 1) * perLine).map((code) => `'${code}',`),
  );
  return lines.map((line) => `${indent}${line.join(' ')}`).join('\n');
}

function writeCurrencies(xml: string): string {
  const published = /Pblshd="([\d-]+)"/.exec(xml)?.[1];
  if (!published) throw new Error('The first file is not list-one.xml of ISO 4217: it names no date.');
  const entries = [...xml.matchAll(/<Ccy>([A-Z]{3})<\/Ccy>[\s\S]*?<CcyMnrUnts>(\d|N\.A\.)<\/CcyMnrUnts>/g)];
  // Gold, test codes and units of account have no minor unit, so nothing costs an amount of them.
  const exponents = new Map(entries.flatMap(([, code = '', units = '']) => (units === 'N.A.' ? [] : [[code, units]])));
  const digits = [...new Set(exponents.values())].toSorted();
  const groups = digits.map((units) => {
    const codes = [...exponents].flatMap(([code, own]) => (own === units ? [code] : [])).toSorted();
    return `  ${units}: [\n${inLines(codes, '    ')}\n  ],`;
  });
  return [
    '// Every currency of ISO 4217 that has a minor unit, by its decimals. Written by scripts/iso.ts; our own ' +
      'additions are in money.ts.',
    `// @source ISO 4217, list one, published ${published}: ` +
      'https://www.six-group.com/en/products-services/financial-information/data-standards.html',
    `export const CURRENCIES_BY_DECIMALS = {\n${groups.join('\n')}\n} as const; // prettier-ignore\n`,
  ].join('\n');
}

function writeCountries(json: string): string {
  const codes = (JSON.parse(json) as string[][]).map(([code = '']) => code);
  // XK is in the list of the package and not in ISO 3166-1: codes that begin with X are anybody's own.
  const official = codes.filter((code) => !code.startsWith('X')).toSorted();
  return [
    '// Every country of ISO 3166-1 by its two letters. Written by scripts/iso.ts; our own additions are in ' +
      'regions.ts.',
    '// @source ISO 3166-1 alpha-2, by i18n-iso-countries 7.14.0 (November 2024)',
    `export const COUNTRY_CODES = [\n${inLines(official, '  ')}\n] as const; // prettier-ignore\n`,
  ].join('\n');
}

function writeAlpha3(json: string): string {
  const rows = (JSON.parse(json) as string[][])
    .filter(([code = '']) => !code.startsWith('X'))
    .map(([code = '', alpha3 = '']) => `${code}: '${alpha3}',`)
    .toSorted();
  const perLine = Math.floor((LINE - 2) / 11);
  const lines = Array.from({ length: Math.ceil(rows.length / perLine) }, (_, line) =>
    rows.slice(line * perLine, (line + 1) * perLine).join(' '),
  );
  return [
    '// The three letters of every country of ISO 3166-1 by its two: App Store Connect names territories by them.',
    '// Written by scripts/iso.ts.',
    '// @source ISO 3166-1 alpha-3, by i18n-iso-countries 7.14.0 (November 2024)',
    `export const ALPHA3_BY_COUNTRY: Readonly<Record<string, string>> = {\n  ${lines.join('\n  ')}\n}; // ` +
      `prettier-ignore\n`,
  ].join('\n');
}

if (import.meta.main) {
  const [xml, json] = process.argv.slice(2);
  if (!xml || !json) throw new Error('Give two files: list-one.xml and codes.json.');
  await writeFile(join(projectRoot, 'kernel', 'currencies.ts'), writeCurrencies(await readFile(xml, 'utf8')));
  await writeFile(join(projectRoot, 'kernel', 'countries.ts'), writeCountries(await readFile(json, 'utf8')));
  await writeFile(join(projectRoot, 'kernel', 'country-alpha3.ts'), writeAlpha3(await readFile(json, 'utf8')));
}
