// docs/game-server-openapi.json: the game server contract as OpenAPI 3.1, made of the shapes that the shop itself reads
// and writes by, with the examples of docs/game-server-contract.md. Written by npm run dump -- game-contract.
import { CallDeclined, CallRefused, gameCalls } from '#contracts/game-calls.ts';
import { GameDeclined, gameVerbs } from '#contracts/game-server.ts';
import type { Examples } from './examples.ts';

type Json = Readonly<Record<string, unknown>>;

/** Beside the file. */
const DOCUMENT = 'game-server-contract.md';
const json = (schema: Json, more: Json = {}): Json => ({ 'application/json': { schema, ...more } });
const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });
const schemaRef = (name: string): Json => ref('schemas', name);

const parameters: Json = {
  id: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'Id of the message; for `grant`, `revoke` and `unblock` the idempotency key',
    schema: { type: 'string', minLength: 1, maxLength: 100 },
  },
  timestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'Seconds since 1970-01-01 UTC, when this attempt was signed; refused when more than 300 away',
    schema: { type: 'string', pattern: String.raw`^\d{9,11}$` },
  },
  clientId: {
    name: 'client_id',
    in: 'path',
    required: true,
    description: 'The client of the game, as agreed with the operator',
    schema: { type: 'string' },
  },
};

const securitySchemes: Json = {
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'webhook-signature',
    description:
      'Standard Webhooks: one or more `v1,<base64>`, separated by a space. HMAC-SHA256 over ' +
      '`<webhook-id>.<webhook-timestamp>.<raw body>`; the key is what follows `whsec_` in the secret, ' +
      'base64-decoded. One match is enough.',
  },
};

/** A game's server may answer these beside 200: the shop takes all of them for "unknown" and asks again. */
const gameResponses: Json = {
  badRequest: { description: 'A request that cannot be understood. Unknown to the shop: it comes again' },
  unauthorized: { description: 'A signature that is wrong, missing or old. Nothing was done' },
  notOffered: { description: 'A verb that the game does not offer, with any body' },
  keyReused: { description: 'This `webhook-id` came before with another body. Nothing was delivered' },
  tooMany: { description: 'Overloaded: the same request comes again' },
  unavailable: { description: 'In doubt, or in maintenance: the same request comes again' },
};

const GAME_FAILURES = { 400: 'badRequest', 401: 'unauthorized', 404: 'notOffered', 429: 'tooMany', 503: 'unavailable' };

/** @param examples of the document, by section */
export function writeGameContract(examples: Examples): Json {
  const schemas: Record<string, unknown> = { Declined: GameDeclined, CallDeclined, CallRefused };
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Refill game server contract',
      version: '1',
      summary: 'What a top-up shop asks the server of a game, and what that server may ask the shop',
      description:
        'Fields that do not apply are absent, never null. Ignore fields that you do not know. What the fields ' +
        'mean, retries, and the duty to grant once: docs/game-server-contract.md.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    externalDocs: { description: 'The contract in words', url: DOCUMENT },
    servers: [{ url: 'https://shop-api.game.example/v1', description: "The game's server; the shop calls" }],
    security: [{ signature: [] }],
    tags: [
      { name: 'game', description: "Implemented by the game's server, called by the shop" },
      { name: 'shop', description: "Implemented by the shop, called by the game's server" },
    ],
    paths: { ...writeVerbs(examples, schemas), ...writeCalls(examples, schemas) },
    components: { schemas, parameters, responses: gameResponses, securitySchemes },
  };
}

function writeVerbs(examples: Examples, schemas: Record<string, unknown>): Json {
  const paths: Record<string, unknown> = {};
  for (const [name, verb] of Object.entries(gameVerbs)) {
    const { summary, isRequired, request, ok, reasons } = verb;
    const key = 'key' in verb ? verb.key : null;
    const title = toTitle(name);
    schemas[`${title}Request`] = request;
    schemas[`${title}Ok`] = ok;
    const keyLine =
      key === null ? '' : ` \`webhook-id\` is the idempotency key (${key}): the same one again, the same answer.`;
    const failures = key === null ? GAME_FAILURES : { ...GAME_FAILURES, 409: 'keyReused' };
    paths[`/${name}`] = {
      post: {
        operationId: toOperation(name),
        tags: ['game'],
        summary,
        description: `${isRequired ? 'Required.' : 'Optional: answer 404 when it is not offered.'}${keyLine}${sayReasons(reasons)}`,
        externalDocs: { url: `${DOCUMENT}#${name}` },
        parameters: [ref('parameters', 'id'), ref('parameters', 'timestamp')],
        ...writeBody(`${title}Request`, examples.get(name) ?? []),
        responses: {
          200: writeAnswer([`${title}Ok`, 'Declined'], examples.get(name) ?? []),
          ...Object.fromEntries(Object.entries(failures).map(([status, one]) => [status, ref('responses', one)])),
        },
      },
    };
  }
  return paths;
}

function writeCalls(examples: Examples, schemas: Record<string, unknown>): Json {
  const paths: Record<string, unknown> = {};
  for (const [path, { summary, section, request, ok, reasons, conflict }] of Object.entries(gameCalls)) {
    const title = toTitle(path.split('/').at(-1) ?? '');
    schemas[`${title}Call`] = request;
    schemas[`${title}Ok`] = ok;
    const refused = (description: string) => ({ description, content: json(schemaRef('CallRefused')) });
    paths[`${path}/{client_id}`] = {
      servers: [
        {
          url: 'https://{host}',
          description: 'A host of the brand',
          variables: { host: { default: 'pay.brand.example' } },
        },
      ],
      parameters: [ref('parameters', 'clientId'), ref('parameters', 'id'), ref('parameters', 'timestamp')],
      post: {
        operationId: `call${title}`,
        tags: ['shop'],
        summary,
        description: `Signed with the game's secret; \`to\` stands in the signed body.${sayReasons(reasons)}`,
        externalDocs: { url: `${DOCUMENT}#${section.toLowerCase().replaceAll(' ', '-')}` },
        ...writeBody(`${title}Call`, examples.get(section) ?? []),
        responses: {
          200: writeAnswer([`${title}Ok`, 'CallDeclined'], examples.get(section) ?? []),
          400: refused('The body'),
          401: refused('Signature, secret, clock, or `to`'),
          404: { description: 'No such client at this brand' },
          409: refused(conflict),
          413: { description: 'More than 4,096 bytes' },
          503: { description: 'The shop cannot answer now: try again' },
        },
      },
    };
  }
  return paths;
}

function writeBody(schema: string, [example]: readonly unknown[]): Json {
  return {
    requestBody: { required: true, content: json(schemaRef(schema), example === undefined ? {} : { example }) },
  };
}

function writeAnswer(oneOf: readonly string[], [, ...answers]: readonly unknown[]): Json {
  const named = answers.map((value, at) => [`${(value as { status: string }).status}-${at + 1}`, { value }]);
  return {
    description: 'A decision: done, or certainly not done',
    content: json(
      { oneOf: oneOf.map(schemaRef) },
      named.length === 0 ? {} : { examples: Object.fromEntries(named) as Json },
    ),
  };
}

function sayReasons(reasons: readonly string[]): string {
  return reasons.length === 0 ? '' : ` Known reasons: ${reasons.map((one) => `\`${one}\``).join(', ')}.`;
}

const toTitle = (name: string): string =>
  name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
const toOperation = (name: string): string => name.replaceAll(/-(.)/g, (_all, letter: string) => letter.toUpperCase());
