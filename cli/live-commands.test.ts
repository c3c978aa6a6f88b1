// No command touches the demonstration's database or brands in live.
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Argument, Command, Option } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProgram, nameOf, NEEDS_NO_SHOP } from './program.ts';
import { runCommand } from './test-run.ts';

const program = createProgram({
  environment: {},
  out: () => undefined,
  err: () => undefined,
  setExitCode: () => undefined,
  ask: null,
});
const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
const commands = leaves(program).map((command) => [nameOf(command), command] as const);

/** Values that the parsers of options take before the command itself runs. */
const VALUES = ['x', '1', '1d', 'USD=1'];
const usable = (one: Argument | Option): string =>
  VALUES.find((value) => {
    try {
      one.parseArg?.(value, undefined as never);
      return true;
    } catch {
      return false;
    }
  }) ?? 'x';
const argumentsOf = (command: Command): string[] => [
  ...command.registeredArguments.filter(({ required }) => required).map(usable),
  ...command.options
    .filter(({ mandatory }) => mandatory)
    .flatMap((one) => [one.long ?? '', ...(one.required ? [usable(one)] : [])]),
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refill-live-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('the exceptions are commands', () => {
  expect(commands.length).toBeGreaterThan(80);
  const names = commands.map(([name]) => name);
  expect([...NEEDS_NO_SHOP].filter((name) => !names.includes(name))).toEqual([]);
});

test.each(commands.filter(([name]) => !NEEDS_NO_SHOP.has(name)))('live, `refill %s` refuses', async (name, command) => {
  const words = [...name.split(' '), ...argumentsOf(command)];
  const data = join(folder, 'data');
  const live = { REFILL_ENVIRONMENT: 'live', REFILL_DATA: data };
  const both = await runCommand(words, live);
  expect(both).toMatchObject({ code: 1, out: '' });
  expect(both.err).toMatch(/^refill: REFILL_ENVIRONMENT is live: DATABASE_URL is missing: .+ REFILL_SHOP is missing: /);
  const one = await runCommand(words, { ...live, DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' });
  expect(one.err).toMatch(/^refill: REFILL_ENVIRONMENT is live: REFILL_SHOP is missing: /);
  expect((await runCommand(words, { ...live, REFILL_SHOP: folder })).err).toMatch(/live: DATABASE_URL is missing: /);
  expect((await runCommand([...words, '--shop', '.'], live)).err).toMatch(/is the folder of the program/);
  expect(existsSync(data)).toBe(false);
});

test('live, `refill doctor` lists both and opens no database', async () => {
  const data = join(folder, 'data');
  const { code, out } = await runCommand(['doctor'], { REFILL_ENVIRONMENT: 'live', REFILL_DATA: data });
  expect(code).toBe(1);
  for (const name of ['DATABASE_URL', 'REFILL_SHOP'])
    expect(out).toMatch(new RegExp(`^FAULT .* ${name} is missing: `, 'm'));
  expect(existsSync(data)).toBe(false);
});
