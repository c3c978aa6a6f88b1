// docs/game-server-openapi.json is what the code says, the document's examples fit it, and so does what the shop sends.
import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { gameCalls } from '#contracts/game-calls.ts';
import { gameVerbs } from '#contracts/game-server.ts';
import { money } from '#kernel/money.ts';
import { createStandardGameServer } from '#server/providers/gameserver/standard.ts';
import { type Examples, readExamples, readSection } from './examples.ts';
import { writeGameContract } from './open-api.ts';

type Operation = {
  operationId: string;
  parameters?: { $ref: string }[];
  requestBody: { content: Record<string, { schema: { $ref: string }; example: unknown }> };
  responses: Record<string, { content?: Record<string, { schema: object; examples?: object }> }>;
};
type Document = { paths: Record<string, { post: Operation; parameters?: { $ref: string }[] }>; components: object };

const ajv = new Ajv2020({ strict: true, allErrors: true });
let document: Document;
let examples: Examples;

beforeAll(async () => {
  const path = new URL('../../docs/game-server-openapi.json', import.meta.url);
  document = JSON.parse(await readFile(path, 'utf8')) as Document;
  examples = await readExamples();
  // Whole, so that $ref is followed as a reader of the file follows it.
  ajv.addSchema({ $id: 'contract', $defs: { document } });
});

const faultsOf = (path: string, schema: object, value: unknown): unknown[] => {
  const inFile = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"contract#/$defs/document/')) as object;
  const check = ajv.compile(inFile);
  return check(value) ? [] : [path, check.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`)];
};
const requestOf = (path: string): object => document.paths[path]!.post.requestBody.content['application/json']!.schema;
const answerOf = (path: string): object =>
  document.paths[path]!.post.responses['200']!.content!['application/json']!.schema;

const places: [path: string, section: string][] = [
  ...Object.keys(gameVerbs).map((name): [string, string] => [`/${name}`, name]),
  ...Object.entries(gameCalls).map(([path, { section }]): [string, string] => [`${path}/{client_id}`, section]),
];

test('is written: npm run dump -- game-contract', () => {
  expect(JSON.parse(JSON.stringify(writeGameContract(examples)))).toEqual(document);
  expect(Object.keys(document.paths).toSorted()).toEqual(places.map(([path]) => path).toSorted());
});

test('every schema is one of JSON Schema 2020-12, every reference leads somewhere, every operation has its own name', () => {
  const text = JSON.stringify(document);
  for (const [, pointer] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = pointer!.split('/').reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document);
    expect([pointer, typeof found]).toEqual([pointer, 'object']);
  }
  for (const schema of Object.values((document.components as { schemas: Record<string, object> }).schemas))
    expect(ajv.validateSchema(schema)).toBe(true);
  const names = Object.values(document.paths).map(({ post }) => post.operationId);
  expect(new Set(names).size).toBe(names.length);
});

test.each(places)('%s: every example of the document fits', async (path, section) => {
  const [request, ...answers] = examples.get(section) ?? [];
  expect(answers.length).toBeGreaterThan(0);
  expect(faultsOf(path, requestOf(path), request)).toEqual([]);
  for (const answer of answers) expect(faultsOf(path, answerOf(path), answer)).toEqual([]);
});

test.each(places)(
  '%s: says its headers, its answers, and the reasons that the document knows',
  async (path, section) => {
    const { post, parameters = [] } = document.paths[path]!;
    const named = [...parameters, ...(post.parameters ?? [])].map(({ $ref }) => $ref.split('/').at(-1));
    expect(named).toEqual(expect.arrayContaining(['id', 'timestamp']));
    const isCall = path in gameCalls || path.endsWith('{client_id}');
    const isKeyed = isCall || ['grant', 'revoke', 'unblock'].includes(section);
    const statuses = Object.keys(post.responses);
    for (const status of ['200', '400', '401', '404', '503']) expect(statuses).toContain(status);
    expect(statuses.includes('409')).toBe(isKeyed);
    const { reasons } = isCall
      ? Object.values(gameCalls).find((call) => call.section === section)!
      : gameVerbs[section as keyof typeof gameVerbs];
    const words = await readSection(section);
    for (const reason of reasons) expect(words.replaceAll('"', '`')).toContain(`\`${reason}\``);
  },
);

test('the table of the document says which verbs are required', async () => {
  const rows = [...(await readSection('In one minute')).matchAll(/^\| `([a-z-]+)` \| .* \| (.+) \|$/gm)];
  const table = Object.fromEntries(rows.map(([, verb, required]) => [verb, required === 'yes']));
  expect(table).toEqual(Object.fromEntries(Object.entries(gameVerbs).map(([name, verb]) => [name, verb.isRequired])));
});

const without = (key: string) => (body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== key));

test.each<[path: string, spoil: (body: Record<string, unknown>) => object]>([
  ['/grant', without('billing_no')],
  ['/grant', (body) => ({ ...body, quantity: '1' })],
  ['/grant', (body) => ({ ...body, area_id: null })],
  ['/check', without('role_id')],
  ['/applied', (body) => ({ ...body, since: 'yesterday' })],
  ['/service/tickets/{client_id}', (body) => ({ ...body, kind: 'key' })],
  ['/api/ingame/offers/{client_id}', (body) => ({ ...body, prices: {} })],
  ['/service/replenish/{client_id}', (body) => ({ ...body, valid_time: 5 })],
])('%s: a request that is not of the contract does not fit', (path, spoil) => {
  const { example } = document.paths[path]!.post.requestBody.content['application/json']!;
  expect(faultsOf(path, requestOf(path), spoil(example as Record<string, unknown>))).not.toEqual([]);
});

describe('the shop as the client', () => {
  const sent = new Map<string, unknown>();
  const game = createStandardGameServer({
    baseUrl: 'https://game.example/v1',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    now: Date.now,
    outbound: async (url, { body }) => {
      const verb = url.split('/').at(-1)!;
      sent.set(verb, JSON.parse(body!));
      return { status: 200, headers: {}, text: JSON.stringify(examples.get(verb)![1]) };
    },
  });
  const billingNo = '01JD3Y8Q5R7T9V1X3Z5B7D9F1H';
  const replenishId = `RP-${billingNo}`;
  const who = { clientId: '70011', userId: '884213' };
  const recipient = { ...who, serverId: 's1', areaId: '', roleId: '10234501' };
  const gifts = [{ id: 'gems', name: 'Gems', count: 30 }];
  const grant = { ...recipient, billingNo, productId: 'gems-300', gifts, paid: money(499, 'USD'), isSandbox: true };

  test.each<[verb: string, act: () => Promise<unknown>, understood: object]>([
    ['authenticate', () => game.authenticate('70011', 'kestrel', '...'), { kind: 'ok', userId: '884213' }],
    ['identify', () => game.identify!('70011', 'google', '1'), { kind: 'ok', userId: '884213' }],
    ['servers', () => game.listServers('70011', ''), { servers: [{ id: 's1', isOpen: true }] }],
    ['roles', () => game.listRoles(who), [{ id: '10234501', level: 42 }] as object],
    ['check', () => game.checkGrant(recipient, 'gems-300'), { kind: 'ok' }],
    ['grant', () => game.grant(grant), { kind: 'done', receiptId: 'R-20261121-000017' }],
    ['revoke', () => game.revoke(billingNo, 'chargeback', replenishId), { kind: 'done' }],
    ['applied', () => game.listApplied!(1_795_132_800_000, null), { keys: [billingNo], next: '2000' }],
    ['unblock', () => game.unblock({ ...who, billingNo, replenishId }), { kind: 'done' }],
    ['real-name', () => game.checkRealName!({ ...who, returnUrl: 'https://shop.example/' }), { kind: 'unfinished' }],
  ])('%s: sends what fits, and understands the answer of the document', async (verb, act, understood) => {
    expect(await act()).toMatchObject(understood);
    expect(faultsOf(verb, requestOf(`/${verb}`), sent.get(verb))).toEqual([]);
  });

  test('a reward, without money', async () => {
    await game.grant({ ...grant, billingNo: `RW-${billingNo}`, paid: null } as never);
    expect(faultsOf('grant', requestOf('/grant'), sent.get('grant'))).toEqual([]);
    expect(sent.get('grant')).not.toHaveProperty('paid');
  });
});
