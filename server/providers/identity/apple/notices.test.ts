// The shapes that Apple's notices have had, and what is made of them once they are proven.
import { expect, test } from 'vitest';
import type { OidcFlow } from '#server/platform/outbound/outbound-oidc.ts';
import { createAppleNotices } from './notices.ts';

const SECONDS = 1_800_000_000;
const event = { type: 'consent-revoked', sub: '000123.abc.0456', event_time: SECONDS * 1000 + 250 };

/** @param claims what a proven token says; null: nothing could be proven */
function open(claims: object | null) {
  const asked: [string, readonly string[]][] = [];
  const flow = {
    proveNotice: async (token: string, apps: readonly string[]) => {
      asked.push([token, apps]);
      return claims ? { kind: 'ok', claims } : { kind: 'refused', reason: 'by a test' };
    },
  } as unknown as OidcFlow;
  return { notices: createAppleNotices(flow), asked };
}
const read = (claims: object | null, body = '{"payload":"token"}') =>
  open(claims).notices.read(body, ['shop.web', 'shop.app']);
const proven = (events: unknown, more: object = {}) => read({ aud: 'shop.web', iat: SECONDS, events, ...more });

test.each([
  ['a text', JSON.stringify(event)],
  ['an object', event],
  ['a list', [event]],
  ['a list in a text', JSON.stringify([event])],
])('events as %s', async (_name, events) => {
  expect(await proven(events)).toEqual({
    kind: 'ok',
    notices: [{ appId: 'shop.web', subject: event.sub, event: event.type, isOver: true, at: event.event_time }],
  });
});

test.each([
  ['consent-revoked', true],
  ['account-delete', true],
  ['account-deleted', true],
  ['email-disabled', false],
  ['email-enabled', false],
  ['something-new', false],
])('%s: the identity is over: %s', async (type, isOver) => {
  expect(await proven({ ...event, type })).toMatchObject({ notices: [{ event: type, isOver }] });
});

test.each([
  ['milliseconds', event.event_time, event.event_time],
  ['seconds, to their end', SECONDS, SECONDS * 1000 + 999],
  ['nothing: then the token’s own time', undefined, SECONDS * 1000 + 999],
  ['no time', 'soon', SECONDS * 1000 + 999],
  ['a time that no date has', 1e300, SECONDS * 1000 + 999],
])('its time in %s', async (_name, time, at) => {
  expect(await proven({ ...event, event_time: time })).toMatchObject({ notices: [{ at }] });
});

test('of several audiences the one that is ours', async () => {
  expect(await proven(event, { aud: ['other', 'shop.app'] })).toMatchObject({ notices: [{ appId: 'shop.app' }] });
});

test.each([
  ['no events', undefined],
  ['none in the list', []],
  ['no JSON', '{'],
  ['null', null],
  ['a number', 7],
  ['no type', { sub: event.sub }],
  ['no subject', { type: event.type }],
  ['an empty subject', { ...event, sub: '' }],
  ['one good, one not', [event, {}]],
])('with %s it is refused whole', async (_name, events) => {
  expect(await proven(events)).toMatchObject({ kind: 'refused' });
});

test.each(['', '{', '[]', 'null', '{"payload":7}', '{"other":"token"}'])('body %j is not even proven', async (body) => {
  const { notices, asked } = open({ aud: 'shop.web', iat: SECONDS, events: event });
  expect(await notices.read(body, ['shop.web'])).toMatchObject({ kind: 'refused' });
  expect(asked).toEqual([]);
});

test('nothing is believed that was not proven, for the ids of the brands and no other', async () => {
  expect(await read(null)).toEqual({ kind: 'refused', reason: 'by a test' });
  const { notices, asked } = open(null);
  await notices.read('{"payload":"token"}', notices.idsOf({ kinds: [], appleServicesId: 'a.web', iosBundle: 'a.app' }));
  expect(asked).toEqual([['token', ['a.web', 'a.app']]]);
  expect(notices.idsOf({ kinds: [] })).toEqual([]);
});
