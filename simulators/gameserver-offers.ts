// A page that gives a player an offer of their own, as a game's server would: a call to the shop, signed with the
// game's secret.

import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Webhook } from 'standardwebhooks';
import { request } from 'undici';
import type { Clock } from './kit/clock.ts';
import { escapeHtml, sendPage } from './kit/page.ts';
import { textAt } from './kit/read.ts';
import { addressOf } from './kit/shop.ts';
import type { Worlds } from './gameserver-world.ts';

const answerWithinMs = 10_000;

const fields = [
  ['brand', 'Brand (its key)', 'watt'],
  ['client_id', 'Client of the game', '70013'],
  ['user_id', 'User id of the player', ''],
  ['username', 'Name of the player', ''],
  ['offer_id', 'Your id of the offer: once for a player', ''],
  ['product_id', 'Product', 'ember_pass'],
  ['price', 'Price', 'USD 0.50'],
  ['minutes', 'Minutes that it stands', '60'],
  ['name', 'What the player reads (may be empty)', 'Welcome back'],
] as const;

export function mountOffers(
  app: FastifyInstance,
  given: { clock: Clock; shopUrl: string; secrets: Record<string, string>; worlds: Worlds },
): void {
  const page = (notice: string, values: Record<string, string>) => ({
    title: 'Give an offer',
    banner: 'Simulated game servers: no real goods',
    content: `<h1>Give a player an offer</h1>${notice}<form class="card" method="post" action="/game/offers">${fields
      .map(
        ([name, label, example]) =>
          `<label for="${name}">${label}</label><input id="${name}" name="${name}" ` +
          `value="${escapeHtml(values[name] ?? example)}" autocapitalize="none">`,
      )
      .join('')}<button class="main">Give it</button></form><p><a href="/game">What the characters received</a></p>`,
  });

  app.get('/game/offers', (_request, reply) => sendPage(reply, page('', {})));

  app.post('/game/offers', async (call, reply) => {
    const values = Object.fromEntries(fields.map(([name]) => [name, textAt(call.body, name) ?? '']));
    const notice = await giveOffer(values, given);
    return sendPage(reply, page(`<p class="notice" role="status"><code>${escapeHtml(notice)}</code></p>`, values));
  });
}

/** The shop's answer as it came, or why there was none. */
async function giveOffer(
  values: Record<string, string>,
  { clock, shopUrl, secrets, worlds }: Parameters<typeof mountOffers>[1],
): Promise<string> {
  const { brand = '', client_id: clientId = '', username = '', user_id: userId = '' } = values;
  const world = [...worlds.values()].find(({ clients }) => clients.some(({ id }) => id === clientId));
  const [secret] = (secrets[world?.id ?? ''] ?? '').split(',');
  if (!world || !secret) return `no simulated game has the client ${clientId}`;
  const [currency = '', amount = ''] = (values['price'] ?? '').trim().split(/[ =]+/);
  const { origin } = addressOf(shopUrl);
  const { port } = new URL(shopUrl);
  const path = `/api/ingame/offers/${clientId}`;
  const host = `${brand.toLowerCase()}.demo.localhost`;
  const body = JSON.stringify({
    to: `${host}${path}`,
    user_id: userId,
    username: username || userId,
    offer_id: values['offer_id'] || `offer-${randomUUID().slice(0, 8)}`,
    product_id: values['product_id'],
    prices: { [currency]: amount },
    until: Math.floor(clock.now() / 1000) + Math.round(Number(values['minutes']) * 60),
    ...(values['name'] ? { name: { en: values['name'] } } : {}),
  });
  const id = `offer-${randomUUID()}`;
  const at = new Date(Math.floor(clock.now() / 1000) * 1000);
  try {
    const answer = await request(`${origin}${path}`, {
      method: 'POST',
      headersTimeout: answerWithinMs,
      bodyTimeout: answerWithinMs,
      headers: {
        host: port ? `${host}:${port}` : host,
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(at.getTime() / 1000),
        'webhook-signature': new Webhook(secret.trim()).sign(id, at, body),
      },
      body,
    });
    return `${answer.statusCode} ${await answer.body.text()}`;
  } catch (error) {
    return `the shop cannot be reached: ${(error as Error).message}`;
  }
}
