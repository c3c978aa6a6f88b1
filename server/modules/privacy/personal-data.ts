// Every table of the database: what it holds about persons, why, for how long, and what happens then. `refill person`
// exports and erases by this table, the worker ends rows by it, and docs/privacy.md is written from it. A test reads
// the catalogue: a table or column that is missing here fails it.
import { OF_ACCOUNTS } from './personal-data/of-accounts.ts';
import { OF_NOBODY } from './personal-data/of-nobody.ts';
import { OF_OPERATORS } from './personal-data/of-operators.ts';
import { OF_ORDERS } from './personal-data/of-orders.ts';
import { OF_TENDERS } from './personal-data/of-tenders.ts';
import { OF_VISITS } from './personal-data/of-visits.ts';
import type { PersonalTable } from './personal-data-types.ts';

/** By the name of the table, in the order of the documents. */
export const PERSONAL_DATA: Readonly<Record<string, PersonalTable>> = {
  ...OF_ACCOUNTS,
  ...OF_ORDERS,
  ...OF_TENDERS,
  ...OF_VISITS,
  ...OF_OPERATORS,
};

export const IMPERSONAL_DATA = OF_NOBODY;

/** Every column of a table that is named, each once. */
export const namedColumns = (table: PersonalTable): readonly string[] => [
  ...table.belongs.map(({ column }) => column),
  ...Object.keys(table.columns),
  ...table.otherColumns,
];
