// Modules of a shop's own: the samples of the documents are taken, and each way to be wrong is told with its place.
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfiguration } from '#server/modules/configuration/service.ts';
import type { Outbound } from '#server/platform/outbound/outbound.ts';
import { loadAdapters, OWN_ADAPTERS, requireAdapters } from './load-modules.ts';

const project = join(import.meta.dirname, '..', '..');
let scratch: string;
let count = 0;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'refill-modules-'));
});
afterAll(() => rm(scratch, { recursive: true }));

/** A shop with these files beside its modules.yaml; each has a folder of its own, for a module is loaded once. */
async function shopOf(modules: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = join(scratch, String((count += 1)));
  for (const [path, text] of Object.entries({
    'modules.yaml': modules,
    'package.json': '{"type":"module"}',
    ...files,
  })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

test('takes the samples of the documents beside what the product has', async () => {
  const folder = await shopOf(
    'modules: [./samples/payment-module.ts, ./samples/login-module.ts, ./samples/protocol-module.ts]',
  );
  await cp(join(project, 'docs', 'samples'), join(folder, 'samples'), { recursive: true });
  const { adapters, faults } = await loadAdapters(folder);
  expect(faults).toEqual([]);
  expect(adapters.providers.map(({ name }) => name)).toEqual([
    ...OWN_ADAPTERS.providers.map(({ name }) => name),
    'acmepay',
  ]);
  expect(adapters.logins.find(({ kind }) => kind === 'own')?.name).toBe('acmeid');
  expect(adapters.logins).toHaveLength(OWN_ADAPTERS.logins.length + 1);
  expect(adapters.protocols.map(({ name }) => name)).toEqual(['standard', 'skald']);

  const asked: string[] = [];
  const outbound: Outbound = async (url, { body }) => {
    asked.push(`${url} ${body}`);
    return { status: 200, headers: {}, text: '{"done":"R-1"}' };
  };
  const game = adapters.protocols[1]!.open({
    baseUrl: 'https://skald.example',
    secrets: ['t'],
    outbound,
    now: Date.now,
  });
  expect(await game.revoke('01J', 'refund')).toEqual({ kind: 'done', receiptId: 'R-1' });
  expect(asked).toEqual(['https://skald.example {"call":"take","key":"01J-revoke","given":"01J"}']);
});

test('the sample login goes to the account server and believes nothing but its answer', async () => {
  const folder = await shopOf('modules: [./id.ts]');
  await cp(join(project, 'docs', 'samples', 'login-module.ts'), join(folder, 'id.ts'));
  const { adapters } = await loadAdapters(folder);
  const asked: string[] = [];
  let answer = { status: 200, headers: {}, text: '{"account":"77","name":"Kes"}' };
  const outbound: Outbound = async (url, { body = '' }) => {
    asked.push(`${url} ${new URLSearchParams(body).get('code')}`);
    return answer;
  };
  const settings = { CLIENT_ID: 'shop', CLIENT_SECRET: 's', ISSUER: 'https://id.acme.example' };
  const own = adapters.logins
    .find(({ kind }) => kind === 'own')!
    .open({ environment: 'demo', settings, outbound, keysOutbound: outbound, now: Date.now });
  expect([own.apiHosts, own.appOf({ kinds: ['own'] })]).toEqual([['id.acme.example'], 'shop']);
  const login = { appId: 'shop', redirectUri: 'https://pay.fjord.example/util/login/callback/own', state: 'st' };
  const begun = await own.begin(login);
  if (begun.kind !== 'ok') throw new Error(begun.reason);
  expect(begun.url).toMatch(/^https:\/\/id\.acme\.example\/authorize\?response_type=code&client_id=shop&/);
  const finish = { ...login, kept: begun.kept, brought: { authorization_code: 'c1' } };
  expect(await own.finish(finish)).toEqual({ kind: 'ok', subject: '77', name: 'Kes' });
  expect(asked).toEqual(['https://id.acme.example/token c1']);
  answer = { status: 400, headers: {}, text: '{}' };
  expect((await own.finish(finish)).kind).toBe('refused');
});

test('takes a package by its name', async () => {
  const folder = await shopOf("modules: ['@acme/skald']", {
    'node_modules/@acme/skald/package.json': '{"name":"@acme/skald","type":"module","exports":"./index.js"}',
    'node_modules/@acme/skald/index.js':
      "export default { ports: 1, gameProtocols: [{ name: 'bus', open: () => ({}) }] };",
  });
  const { adapters } = await loadAdapters(folder);
  expect(adapters.protocols.map(({ name }) => name)).toEqual(['standard', 'bus']);
});

test('without a modules.yaml there are the ones of the product', async () => {
  expect(await loadAdapters(scratch)).toEqual({ adapters: OWN_ADAPTERS, faults: [] });
});

const exporting = (text: string) => ({ 'm.js': `export default ${text};` });
const PAY =
  "supportsCurrency(){},accountOf(){},apiHosts(){},payHosts(){},create(){},query(){},readCallback(){},amountForm:'minor-units',payableForSeconds:60,signedHeaders:[],settings:[]";

test.each<[string, string, Record<string, string>, string]>([
  [
    'a package that is not installed',
    'modules: [acme]',
    {},
    'modules.yaml:1: modules[0]: acme is no package of this shop; run npm install <package> in its folder, or ' +
      'name a file by ./',
  ],
  [
    'a package that exports nothing',
    'modules: [acme]',
    { 'node_modules/acme/package.json': '{"name":"acme","exports":{}}' },
    'modules.yaml:1: modules[0]: acme offers nothing to load; its package.json must say "exports": "./<file>.js"',
  ],
  [
    'a file that is not there',
    'modules:\n  - ./m.js',
    {},
    'modules.yaml:2: modules[0]: ./m.js is not there; name a file from the folder of the shop, e.g. ./modules/pay.ts',
  ],
  [
    'one that throws',
    'modules: [./m.js]',
    { 'm.js': 'throw new Error("no licence");' },
    'modules.yaml:1: modules[0]: ./m.js throws while it is loaded: no licence; mend it, or take it out of modules.yaml',
  ],
  [
    'one without a default export',
    'modules: [./m.js]',
    { 'm.js': 'export const a = 1;' },
    'modules.yaml:1: modules[0]: ./m.js has no default export; export default { ports: 1, ... }',
  ],
  [
    'one of no version',
    'modules: [./m.js]',
    exporting('{ payments: [] }'),
    'modules.yaml:1: modules[0]: ./m.js does not say for which ports it was written; export default { ports: 1, ... }',
  ],
  [
    'one of another version',
    'modules: [./m.js]',
    exporting('{ ports: 2, payments: [] }'),
    'modules.yaml:1: modules[0]: ./m.js is written for ports 2, and this Refill has ports 1; take a version of ' +
      'it for ports 1',
  ],
  [
    'one with a stranger',
    'modules: [./m.js]',
    exporting('{ ports: 1, paymets: [] }'),
    'modules.yaml:1: modules[0]: ./m.js exports "paymets", which is no part of it; known are ports, payments, ' +
      'logins, gameProtocols',
  ],
  [
    'one that brings nothing',
    'modules: [./m.js]',
    exporting('{ ports: 1 }'),
    'modules.yaml:1: modules[0]: ./m.js brings nothing; give it payments, logins or gameProtocols',
  ],
  [
    'a provider without a verb',
    'modules: [./m.js]',
    exporting("{ ports: 1, payments: [{ name: 'acme', settings: [] }] }"),
    'modules.yaml:1: modules[0]: ./m.js payments[0] (acme) has no function supportsCurrency; add it as its port says',
  ],
  [
    'a setting of a form that there is not',
    'modules: [./m.js]',
    exporting(
      `{ ports: 1, payments: [{ name: 'acme', ${PAY.replace(
        'settings:[]',
        "settings:[{name:'A',isRequired:true,isSecret:false,about:'',form:{kind:'list',of:{kind:'numbers'}}}]",
      )} }] }`,
    ),
    'modules.yaml:1: modules[0]: ./m.js payments[0] (acme) must declare its settings, each with name (capitals), ' +
      'isRequired, isSecret and about, and perhaps a form of those that the ports know; an empty list for none',
  ],
  [
    'a provider of a known name',
    'modules: [./m.js]',
    exporting(`{ ports: 1, payments: [{ name: 'adyen', ${PAY} }] }`),
    'modules.yaml:1: modules[0]: ./m.js brings the payment provider "adyen", and there is one of that name; rename it',
  ],
  [
    'a provider that takes the till',
    'modules: [./m.js]',
    exporting(`{ ports: 1, payments: [{ name: 'acme', ${PAY}, internalTender: 'card' }] }`),
    'modules.yaml:1: modules[0]: ./m.js payments[0] has an internalTender, which only the product itself has; ' +
      'remove it',
  ],
  [
    'a provider that repeats for no number',
    'modules: [./m.js]',
    exporting(`{ ports: 1, payments: [{ name: 'acme', ${PAY}, repeatsCallbacksForSeconds: '1 day' }] }`),
    'modules.yaml:1: modules[0]: ./m.js payments[0] has a repeatsCallbacksForSeconds that is no whole number ' +
      'from 0; give one, or leave it out',
  ],
  [
    'a login of an unknown kind',
    'modules: [./m.js]',
    exporting("{ ports: 1, logins: [{ name: 'acme', kind: 'acme', settings: [], open() {} }] }"),
    'modules.yaml:1: modules[0]: ./m.js logins[0] has the kind "acme"; give one of google, ios, facebook, ' +
      'twitter, vk, huawei, own',
  ],
  [
    'a protocol with an odd name',
    'modules: [./m.js]',
    exporting("{ ports: 1, gameProtocols: [{ name: 'My Game', open() {} }] }"),
    'modules.yaml:1: modules[0]: ./m.js gameProtocols[0] has the name "My Game"; give one of 2 to 20 small ' +
      'letters and digits, beginning with a letter',
  ],
  [
    'a list of something else',
    'modules: [5]',
    {},
    'modules.yaml:1: modules[0]: 5 is no text; write the name of a package, or a path that begins with ./',
  ],
  ['no list', 'module: []', {}, 'modules.yaml:1: has no list "modules"; write modules: [...]'],
])('refuses %s', async (_, modules, files, sentence) => {
  const folder = await shopOf(modules, files);
  const { adapters, faults } = await loadAdapters(folder);
  expect(faults.map((fault) => fault.sentence)).toEqual([sentence]);
  expect(adapters).toEqual(OWN_ADAPTERS);
  await expect(requireAdapters(folder)).rejects.toThrow(sentence);
});

test('a plan tells them with the faults of the files, and a game of a protocol that nobody speaks', async () => {
  const folder = await shopOf('modules: [acme]');
  await cp(join(project, 'testing', 'fixtures', 'configuration'), folder, { recursive: true });
  const { adapters, faults } = await loadAdapters(folder);
  const read = await readConfiguration(folder, { protocols: adapters.protocols.slice(1), faults });
  expect(read.ok ? [] : read.faults.map(({ sentence }) => sentence)).toEqual([
    expect.stringMatching(/^games\/quest\/game\.yaml:1: protocol: there is no game protocol "standard"/),
    expect.stringMatching(/^modules\.yaml:1: modules\[0\]: acme is no package/),
  ]);
});
