// A sample game: what a game's own page and server do to bring a player into the shop. @see docs/sdk-view.md

import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Webhook } from 'standardwebhooks';
import type { Clock } from './kit/clock.ts';
import { textAt } from './kit/read.ts';
import type { ShopOfGames } from './kit/shop.ts';
import { sendPage } from './kit/page.ts';
import { rolesOf, type Role, type World, worlds } from './gameserver-world.ts';
import { type Choice, sampleLook, writeSampleGame } from './sample-game-page.ts';
import { writeSampleScript } from './sample-game-script.ts';

type Context = { app: FastifyInstance; shop: ShopOfGames; clock: Clock; secrets: Record<string, string> };
type Playing = { world: World; role: Role };

export function mountSampleGame({ app, shop, clock, secrets }: Context): void {
  app.get('/sample-game', (request, reply) => {
    const choice = readChoice(request.query);
    const playing = findPlaying(choice);
    const origin = shop.originOf(choice.brand);
    return sendPage(reply, {
      title: 'Sample game',
      banner: 'A simulated game: no real money, no real goods',
      width: '60rem',
      look: sampleLook,
      frames: origin,
      content: writeSampleGame(choice, playing && { game: playing.world.name, character: playing.role }),
      ...(playing ? { script: writeSampleScript(origin, choice, keysOf(playing.role)) } : {}),
    });
  });

  // Acts as a game's server: it knows its player, and signs with the secret that no client ever sees.
  app.post('/sample-game/ticket', async (request, reply) => {
    const choice = readChoice(request.body);
    const playing = findPlaying(choice);
    if (!playing) return reply.code(400).send({ error: 'unknown_player' });
    const { world, role } = playing;
    const host = new URL(shop.originOf(choice.brand)).host;
    const path = `/service/tickets/${choice.client}`;
    const body = JSON.stringify({
      to: `${host.replace(/:\d+$/, '')}${path}`,
      user_id: choice.user,
      username: choice.user,
      ...keysOf(role),
      ...(textAt(request.body, 'kind') === 'code' ? { kind: 'code' } : {}),
    });
    const id = `msg_${randomUUID()}`;
    const now = new Date(clock.now());
    const secret = (secrets[world.id] ?? '').split(',')[0] ?? '';
    const answer = await shop.call(host, path, body, {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, now, body),
    });
    return reply.code(answer.status).type('application/json; charset=utf-8').send(answer.text);
  });
}

const keysOf = (role: Role): Record<string, string> => ({
  server_id: role.server_id,
  ...(role.area_id ? { area_id: role.area_id } : {}),
  role_id: role.id,
});

/** Anything that is left out is that of the demo player. */
function readChoice(given: unknown): Choice {
  const brand = textAt(given, 'brand') ?? '';
  return {
    // It becomes part of a host name.
    brand: /^[A-Za-z0-9]{1,32}$/.test(brand) ? brand : 'watt',
    client: textAt(given, 'client') ?? '70013',
    user: textAt(given, 'user') ?? 'kestrel',
    lang: textAt(given, 'lang') ?? 'en',
  };
}

function findPlaying({ client, user }: Choice): Playing | undefined {
  for (const world of worlds.values()) {
    const role = rolesOf(world, client, user)?.[0];
    if (role) return { world, role };
  }
  return undefined;
}
