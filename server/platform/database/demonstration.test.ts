// The mark of a demonstration's database: put on what is empty, never on what somebody else made.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createEmptyDatabase } from '#testing/database.ts';
import { assignForDemonstration, isDemonstration } from './demonstration.ts';

/** @param prepare statements that make the database what it is found as */
async function open(prepare: string): Promise<{ url: string; client: pg.Client }> {
  const { drop, url } = await createEmptyDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await drop();
  });
  await client.query(prepare);
  return { url, client };
}

test('an empty database is taken only when that was said, and is its own from then on', async () => {
  const { client, url } = await open('');
  expect(await assignForDemonstration(url, 'none')).toBe('empty');
  expect(await isDemonstration(client)).toBe(false);
  expect(await assignForDemonstration(url, 'empty')).toBe('new');
  expect(await isDemonstration(client)).toBe(true);
  expect(await assignForDemonstration(url, 'none')).toBe('own');
});

test.each([
  ['a table', 'create table order_of_somebody (id int)'],
  ['a table in another schema', 'create schema erp; create table erp.invoice (id int)'],
  ['a view', 'create view one as select 1'],
  ['a function', "create function one() returns int language sql as 'select 1'"],
  ['a sequence', 'create sequence numbers'],
])('a database with %s is somebody else’s and is left alone', async (_what, sql) => {
  const { client, url } = await open(sql);
  expect(await assignForDemonstration(url, 'empty')).toBe('foreign');
  expect(await isDemonstration(client)).toBe(false);
  // The embedded one is ours whatever is in it.
  expect(await assignForDemonstration(url, 'any')).toBe('new');
  expect(await assignForDemonstration(url, 'none')).toBe('own');
});

test('the embedded one may answer late on a busy machine', { timeout: 40_000 }, async () => {
  const { url } = await open('');
  const to = new URL(url);
  const sockets: Socket[] = [];
  // Takes the connection at once and answers after longer than another database has.
  const slow = createServer((socket) => {
    sockets.push(socket);
    setTimeout(() => {
      const server = connect(Number(to.port), to.hostname);
      sockets.push(server);
      socket.pipe(server).pipe(socket);
    }, 10_500);
  });
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    slow.close();
  });
  const { port } = slow.address() as AddressInfo;
  const late = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href;
  expect(await assignForDemonstration(late, 'any')).toBe('new');
});

test('two starts at once make one mark', async () => {
  const { url } = await open('');
  const assigned = await Promise.all([assignForDemonstration(url, 'empty'), assignForDemonstration(url, 'empty')]);
  expect(assigned.toSorted()).toEqual(['new', 'own']);
});
