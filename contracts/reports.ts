// Declares a page's report of a failure: where and how, in the player's own words if there are any; never who, never a
// token.
import Type, { type Static } from 'typebox';
import { NoContent, params, Text } from './envelope.ts';
import { route } from './route.ts';

/** `network`: no answer after all tries. `script`: the page's own code. `player`: somebody wrote. */
const REPORT_KINDS = ['network', 'script', 'player'] as const;

/** Our choice: a few sentences. */
export const LONGEST_NOTE = 500;

/** Letters and digits that nobody confuses on the phone. @source Crockford, Base32: no I, L, O, U */
export const REFERENCE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const Path = Type.String({ maxLength: 200, pattern: '^[^?#\\s]*$' });

const input = {
  /** Made up by the page, so that a player can quote it whether or not the report has arrived. */
  reference: Type.String({ pattern: `^[${REFERENCE_ALPHABET}]{4}-[${REFERENCE_ALPHABET}]{4}$` }),
  kind: Type.Enum([...REPORT_KINDS]),
  /** Of the call without its query, or of the script with its line. */
  path: Path,
  /** Status of the transport; 0 when nothing answered. */
  code: Type.Integer({ minimum: 0, maximum: 999 }),
  /** Number of the call, as log and trace have it; left out where no call failed. */
  request: Type.Optional(Type.String({ pattern: '^[0-9a-f]{32}$' })),
  /** Path of the page without its query. */
  page: Path,
  language: Text(16),
  build: Text(64),
  note: Text(LONGEST_NOTE),
  /** Epoch milliseconds by the clock of the browser. */
  time: Type.Integer({ minimum: 0, maximum: 8.64e15 }),
};

export const reportRoutes = {
  send: route({
    path: '/api/system/report',
    kind: 'post',
    summary: 'Report what failed on the page',
    access: 'anyone',
    input: params(input),
    output: NoContent,
  }),
};

const Report = Type.Object(input);
export type Report = Static<typeof Report>;
