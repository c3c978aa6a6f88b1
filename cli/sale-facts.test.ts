// Tests the lines of `refill plan` about brands that cannot sell.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfiguration } from '#server/modules/configuration/service.ts';
import { shopProviders } from '#server/providers/shop-payments.ts';
import { explainUnseenSettings, listSaleFacts } from './sale-facts.ts';

const read = await readConfiguration(join(import.meta.dirname, '..'), { providers: shopProviders });
if (!read.ok) throw new Error('the shipped files have faults');
const { configuration } = read;

test('without settings the files alone decide', () => {
  expect(listSaleFacts(configuration, {})).toEqual([]);
  const facts = listSaleFacts({ ...configuration, channels: [] }, { REFILL_ENVIRONMENT: 'live' });
  expect(facts).toHaveLength(configuration.brands.size);
  expect(facts).toContain(
    'brand watt has no payment channel that works: give it a channel in channels/channels.yaml and apply it.',
  );
});

test('without an environment settings decide nothing, and that is said', () => {
  const variables = {
    REFILL_GAME_STARLANE_DEMO_URL: 'https://game.publisher.com',
    REFILL_GAME_STARLANE_DEMO_SECRETS: 'whsec_a-secret-that-is-long-enough',
  };
  expect(listSaleFacts(configuration, variables)).toEqual([]);
  expect(explainUnseenSettings(variables)).toMatch(/^REFILL_ENVIRONMENT is not set, .*: set it to demo or live /);
  expect(explainUnseenSettings({})).toBeNull();
  const demo = { ...variables, REFILL_ENVIRONMENT: 'demo' };
  expect(explainUnseenSettings(demo)).toBeNull();
  const games = listSaleFacts(configuration, demo).filter((one) => one.startsWith('game '));
  expect(games.some((one) => one.startsWith('game starlane '))).toBe(false);
  expect(games).toContainEqual(expect.stringMatching(/ set REFILL_GAME_EMBERFALL_DEMO_URL and /));
});

test('with settings of this environment a game that is not set is told, as a start would', () => {
  const live = { REFILL_ENVIRONMENT: 'live', REFILL_GAME_STARLANE_LIVE_URL: 'https://game.publisher.com' };
  const facts = listSaleFacts(configuration, live);
  expect(facts.find((one) => one.startsWith('game starlane '))).toMatch(/ set REFILL_GAME_STARLANE_LIVE_SECRETS\.$/);
  expect(facts.some((one) => one.startsWith('brand watt has no payment channel'))).toBe(true);
  expect(listSaleFacts(configuration, { ...live, REFILL_ENVIRONMENT: 'demo' })).toEqual([]);
});
