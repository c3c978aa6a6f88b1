// A shop's own words in the page: over the build's, in an address that changes with them.
import Fastify from 'fastify';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { expect, test } from 'vitest';
import type { Configuration } from '#server/modules/configuration/service.ts';
import type { BuiltAssets } from './assets.ts';
import { createOwnMessages } from './own-messages.ts';

const built = {
  messagesUrls: { en: '/messages/en.1.json', de: '/messages/de.1.json' },
  messagesOf: () => ({ 'how.pay': ['Pay your way'], 'goods.title': ['Goods'] }),
} as unknown as BuiltAssets;

test('are the built ones with those of the shop over them, and change with an apply', async () => {
  let messages: Configuration['messages'] = { en: { 'how.pay': 'Every way' } };
  const own = createOwnMessages(() => ({ messages }) as Configuration);
  const app = Fastify();
  own.mount(app, async () => built);

  const first = own.of(built, 'en');
  expect(first.messages).toEqual({ 'how.pay': compileMessageOrThrow('Every way'), 'goods.title': ['Goods'] });
  const answer = await app.inject(first.url);
  expect(answer.headers['cache-control']).toContain('immutable');
  expect(answer.json()).toEqual(first.messages);
  expect(own.of(built, 'de')).toEqual({ messages: built.messagesOf('de'), url: '/messages/de.1.json' });
  expect((await app.inject('/messages/own/de.1.json')).statusCode).toBe(404);
  expect((await app.inject('/messages/own/..%2fen.1.json')).statusCode).toBe(404);

  messages = { en: { 'how.pay': 'Any way' } };
  const second = own.of(built, 'en');
  expect(second.url).not.toBe(first.url);
  // A page that was written before asks for what it knew: it gets what there is, which nobody keeps.
  const late = await app.inject(first.url);
  expect([late.json(), late.headers['cache-control']]).toEqual([second.messages, 'no-store']);
  await app.close();
});
