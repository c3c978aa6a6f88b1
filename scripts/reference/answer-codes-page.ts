// docs/reference/answer-codes.md: what the storefront's calls and the admin API answer, from the tables that answer.
import { readFile } from 'node:fs/promises';
import { ADMIN_ERRORS } from '#contracts/admin.ts';
import { BILLING_STATUS, CODES } from '#contracts/errors.ts';
import { code, drawPage, drawRows } from './markdown.ts';

const ENGLISH = new URL('../../messages/en.json', import.meta.url);

export async function writeAnswerCodesPage(): Promise<string> {
  const texts = JSON.parse(await readFile(ENGLISH, 'utf8')) as Record<string, string>;
  const ordered = Object.entries(CODES).toSorted(([, a], [, b]) => b.code - a.code);
  return drawPage([
    `# Answer codes

Written by \`npm run dump -- reference\` from \`contracts/errors.ts\` and \`contracts/admin.ts\`.`,
    `## Of the storefront

Every call answers \`{ "code": ..., "msg": ..., "content": ... }\`. \`msg\` is the text below in the player's language; programs go by \`code\`. Codes below -1000 are ours, all others the specification's.`,
    drawRows(
      ['Code', 'Name', 'HTTP', 'In English', 'Text'],
      ordered.map(([name, one]) => [code(String(one.code)), code(name), String(one.http), texts[one.text] ?? '', code(one.text)]), // prettier-ignore
    ),
    `## Of an order

\`billing_status\` of an order, as its page asks for it.`,
    drawRows(
      ['Status', 'Name'],
      Object.entries(BILLING_STATUS).map(([name, status]) => [code(String(status)), code(name)]),
    ),
    `## Of the admin API

\`{ "error": { "code": ..., "message": ... } }\`: \`code\` is a word for programs ([admin-api.md](../admin-api.md)).`,
    drawRows(
      ['Code', 'HTTP', 'Means'],
      Object.entries(ADMIN_ERRORS).map(([name, one]) => [code(name), String(one.http), one.about]),
    ),
  ]);
}
