// docs/privacy.md: what is kept about persons, why, for how long, and what happens then, from the tables that the
// program itself goes by.
import { BOOKS_KEPT, type Bounds, RETENTION, type RetentionName } from '#contracts/retention.ts';
import { IMPERSONAL_DATA, PERSONAL_DATA } from '#server/modules/privacy/personal-data.ts';
import type {
  Belongs,
  ColumnErasure,
  End,
  PersonalColumn,
  PersonalTable,
} from '#server/modules/privacy/personal-data-types.ts';
import { code, drawPage, drawRows } from './markdown.ts';

const days = (count: number): string => (count === 1 ? 'a day' : `${count} days`);

const BELONGS: Readonly<Record<Belongs['by'], string>> = {
  player: 'the player of',
  counted: 'the players of the account in',
  order: 'the player of the order in',
  session: 'the player of the session in',
  account: 'the account behind the hash in',
  card: 'the holder of the card in',
  address: 'a network address in',
  browser: 'a number that a browser made up, in',
  operator: 'a person who works for the shop, in',
};

function tellEnd(end: End): string {
  switch (end.how) {
    case 'rows':
      return `rows end ${days(RETENTION[end.keep].days)} after ${end.since} (${code(end.keep)})`;
    case 'columns':
      return (
        `${end.columns.map(code).join(', ')} are emptied ${days(RETENTION[end.keep].days)} after ${end.since} ` +
        `(${code(end.keep)})`
      );
    case 'books':
      return 'books: kept for as long as the law says';
    case 'account':
      return 'with the account';
    case 'operator':
      return 'when an operator takes it away';
    case 'soon':
      return `by itself: ${end.within}`;
  }
}

const ERASURE: Readonly<Record<ColumnErasure, string>> = {
  empty: 'emptied',
  pseudonym: 'replaced by a pseudonym',
  keep: 'stays',
};

function tellErasure(table: PersonalTable, { onErasure = 'keep', because }: PersonalColumn): string {
  if (table.onErasure === 'delete') return 'the row goes';
  return because === undefined ? ERASURE[onErasure] : `${ERASURE[onErasure]}: ${because}`;
}

function drawTable([name, table]: [string, PersonalTable]): string {
  const { belongs, columns, ends, onErasure, purpose } = table;
  const whose = belongs.map(({ by, column }) => `${BELONGS[by]} ${code(column)}`).join('; ');
  const parts = [
    `### ${name}`,
    [
      `- Why: ${purpose}`,
      `- Whose: ${whose === '' ? 'nobody whom the shop could name' : whose}`,
      `- Until: ${ends.map(tellEnd).join('; ')}`,
      `- When a person is erased: ${onErasure === 'delete' ? 'the rows go' : 'the rows stay'}`,
    ].join('\n'),
  ];
  const rows = Object.entries(columns).map(([column, one]) => [code(column), one.is, tellErasure(table, one)]);
  return [...parts, ...(rows.length === 0 ? [] : [drawRows(['Column', 'Is', 'When a person is erased'], rows)])].join(
    '\n\n',
  );
}

const tellBound = ({ days: count, because, law, source }: Bounds['least']): string =>
  `${count}: ${because}${law === undefined ? '' : ` (${law})`}${source === undefined ? '' : ` [source](${source})`}`;

function drawSpans(): string {
  return drawRows(
    ['Key', 'Keeps', 'Days', 'At least', 'At most'],
    (Object.keys(RETENTION) as RetentionName[]).map((name) => {
      const { about, bounds, days: count }: { about: string; bounds: Bounds | null; days: number } = RETENTION[name];
      const range = bounds ? [tellBound(bounds.least), tellBound(bounds.most)] : ['the same for all brands', ''];
      return [code(name), about, String(count), ...range];
    }),
  );
}

export function writePrivacyPage(): string {
  return drawPage([
    `# Data about persons

Written by \`npm run dump -- privacy\` from \`server/modules/privacy/personal-data/\` and \`contracts/retention.ts\`: the same tables by which the worker ends rows. A test reads the catalogue of the database: a table or column that is not told here fails it. It is a record of processing to start from, and no legal advice.`,
    `## For how long

A brand's file may set its own days; \`refill plan\` refuses what is outside of the bounds, with file, line, field and reason:

\`\`\`yaml
retention:
  sessions: 7
  callbacks: 180
\`\`\``,
    drawSpans(),
    `Every hour a worker ends what is over, by the database's clock, 500 rows at a time. Rows that belong to no ` +
      'brand, or to one that is not configured any more, are kept for as long as those of the brand that keeps ' +
      `longest. What ended is counted by \`refill_retention_ended_rows_total\`; \`refill doctor\` and the alert ` +
      '[RefillEndsLate](runbook.md#refillendslate) tell when it lags.',
    `## Masked before it is stored

Callbacks of payment providers, samples of refused ones, and what is sent to providers and answered lose their persons before they reach the database: names, mail, telephone, addresses of home and network, birth, documents, parts of cards and accounts, devices, and the provider's number of the payer. References, amounts, currencies, states, times and merchant accounts stay. \`body-sha256\` beside a callback is of the bytes as they came: with a copy that the provider shows, it proves which they were. A masked body fits no signature any more; a callback is applied again from what was read of it.`,
    `## When a person is erased

GDPR 17 and 12(3), PIPA 36, APPI 35 and CCPA 1798.105 give the right to it; GDPR 17(3)(b), the proviso of PIPA 21(1) and CCPA 1798.105(d)(8) leave what another law says must be kept, which is why the books stay. Each erasing is noted outside of the database, the internal number of the player alone, for thirteen months: a backup that is brought back is erased again by \`refill recover\` ([operating.md](operating.md#after-a-restored-backup)). \`refill_erasure_overdue_seconds\`, \`refill doctor\` and the alert [RefillErasuresLate](runbook.md#refillerasureslate) tell of a wish that is not carried out.`,
    `## Books

Orders, ledgers, refunds and the audit are books. Nothing ends them by itself; when a person is erased they stay, without the person. How long they must be kept, by country:`,
    drawRows(
      ['Where', 'Years', 'Law'],
      BOOKS_KEPT.map(({ law, source, where, years }) => [where, String(years), `[${law}](${source})`]),
    ),
    '## Tables with data about persons',
    ...Object.entries(PERSONAL_DATA).map(drawTable),
    '## Tables without',
    drawRows(
      ['Table', 'Holds'],
      Object.entries(IMPERSONAL_DATA).map(([name, { because }]) => [code(name), because]),
    ),
  ]);
}
