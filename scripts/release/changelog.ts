// CHANGELOG.md as data: what is not released yet, and the versions with their day and newest migration.

const OPERATOR = '### What an operator must do';
const HEADING = /^## (.+)$/m;

export type Released = {
  readonly version: string;
  /** "2026-11-22". */
  readonly date: string;
  /** "0001-baseline": its database is testing/dumps/<migration>.sql.gz. Null: the line is missing. */
  readonly migration: string | null;
  /** Is true when it says what an operator must do. */
  readonly hasOperatorPart: boolean;
};

export type Changelog = {
  /** Without its heading; empty when nothing is told. */
  readonly unreleased: string;
  /** Newest first. */
  readonly released: readonly Released[];
};

/** @throws when a heading is neither "Unreleased" nor a version with its day */
export function readChangelog(text: string): Changelog {
  const parts = text.split(/^(?=## )/m).filter((part) => part.startsWith('## '));
  let unreleased = '';
  const released: Released[] = [];
  for (const part of parts) {
    const heading = HEADING.exec(part)?.[1] ?? '';
    const body = part.slice(part.indexOf('\n') + 1).trim();
    if (heading === 'Unreleased') {
      unreleased = body;
      continue;
    }
    const [, version = '', date = ''] = /^(\d+\.\d+\.\d+) - (\d{4}-\d\d-\d\d)$/.exec(heading) ?? [];
    if (version === '')
      throw new Error(`CHANGELOG.md: "## ${heading}" is neither "## Unreleased" nor "## <version> - <day>".`);
    const migration = /^Database: `(.+)`$/m.exec(body)?.[1] ?? null;
    released.push({ version, date, migration, hasOperatorPart: hasOperatorPart(body) });
  }
  return { unreleased, released };
}

/** Returns true when some text stands below the heading: also "nothing" has to be said. */
export function hasOperatorPart(body: string): boolean {
  const [, part = ''] = body.split(`${OPERATOR}\n`);
  return part.split(/^#/m)[0]?.trim() !== '';
}

/** Makes what is not released a version; "Unreleased" stays, with nothing below it. */
export function writeVersion(text: string, { date, migration, version }: Omit<Released, 'hasOperatorPart'>): string {
  const heading = '## Unreleased\n';
  if (!text.includes(heading)) throw new Error('CHANGELOG.md has no "## Unreleased".');
  const [before = '', after = ''] = text.split(heading, 2);
  const [body = '', ...older] = after.split(/^(?=## )/m);
  const [changes = '', operator = ''] = body.split(OPERATOR, 2);
  const own = `${changes.trim()}\n\nDatabase: \`${migration}\`\n\n${OPERATOR}\n\n${operator.trim()}\n`;
  return `${before}${heading}\n## ${version} - ${date}\n\n${own}\n${older.join('')}`.trimEnd() + '\n';
}
