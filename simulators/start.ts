// Starts every simulator on one port and says how a shop is to reach them.

import { join } from 'node:path';
import Fastify from 'fastify';
import { installBodyParsers } from './kit/bodies.ts';
import { type Clock, systemClock } from './kit/clock.ts';
import { payByControl } from './kit/control.ts';
import { type Credentials, openAccount, openCredentials } from './kit/credentials.ts';
import { type Journal, openJournal } from './kit/journal.ts';
import { createShop } from './kit/shop.ts';
import { mountGameServer } from './gameserver.ts';
import { makeWorlds, type OwnGame, type Worlds, worlds as demoWorlds } from './gameserver-world.ts';
import { mountIdentities } from './identity/all.ts';
import { mountIndexPage } from './index-page.ts';
import { mountSampleGame } from './sample-game.ts';
import type { Context, Mounted } from './payments/context.ts';
import { firstAccounts, hostsOf } from './payments/first-accounts.ts';
import { makeRealNameAccount, mountRealName } from './realname.ts';
import { paymentMounts } from './payments/all.ts';

export type SimulatorOptions = {
  /** 0 takes a free one. */
  port: number;
  /** Folder of credentials and journals; made when missing. */
  dataDir: string;
  /**
   * The shop's address, as `http://127.0.0.1:8080` or `http://watt.demo.localhost:8080`: callbacks go to
   * `/callback/<provider>` there.
   */
  shopUrl: string;
  clock?: Clock;
  /** Games of somebody's own shop instead of the demonstration's. */
  games?: readonly OwnGame[];
  /**
   * Writes every change to the journal before its call is answered (default). Without, up to 50 ms are lost with the
   * process: for benchmarks.
   */
  durable?: boolean;
  /** Hears of each order when its goods are in the game: for benchmarks. */
  onGrant?: ((billingNo: string) => void) | undefined;
};

export type Simulators = {
  url: string;
  /** The variables that make a shop use these simulators. */
  environment: Record<string, string>;
  /**
   * The payer pays, as by `POST /control/<provider>/pay`, and the callback was tried once; undefined
   * when nobody knows the payment.
   */
  pay(provider: string, reference: string): Promise<unknown>;
  close(): Promise<void>;
};

/** Listens on 127.0.0.1 only. Throws when the port is taken or the folder cannot be written. */
export async function startSimulators(options: SimulatorOptions): Promise<Simulators> {
  const clock = options.clock ?? systemClock;
  const isDurable = options.durable ?? true;
  const worlds = options.games ? makeWorlds(options.games) : demoWorlds;
  const credentials = await openCredentials(options.dataDir, [...worlds.keys()]);
  const shop = createShop(options.shopUrl);
  const app = Fastify({ logger: false, forceCloseConnections: true, keepAliveTimeout: 60_000 });
  installBodyParsers(app);
  let port = options.port;
  const apiOrigin = () => `http://127.0.0.1:${port}`;
  const pageOrigin = () => `http://localhost:${port}`;
  const journalOf = (name: string) => openJournal(join(options.dataDir, `${name}.jsonl`), isDurable);

  const journals: Journal[] = [];
  const mounted: Mounted[] = [];
  for (const [name, mount] of Object.entries(paymentMounts)) {
    const journal = journalOf(name);
    journals.push(journal);
    const account: Context['account'] = (make) => openAccount(options.dataDir, name, make);
    const context: Context = { name, app, journal, shop, clock, credentials, account, apiOrigin, pageOrigin };
    mounted.push(mount(context));
  }
  const gameJournal = journalOf('game');
  journals.push(gameJournal);
  mountGameServer({
    app,
    journal: gameJournal,
    clock,
    worlds,
    secrets: credentials.games,
    pageOrigin,
    shopUrl: options.shopUrl,
    onGrant: options.onGrant,
  });
  // Its page speaks of the demonstration's brands.
  const hasSampleGame = options.games === undefined;
  if (hasSampleGame) mountSampleGame({ app, shop, clock, secrets: credentials.games });
  const identities = mountIdentities({
    app,
    clock,
    dataDir: options.dataDir,
    shopUrl: options.shopUrl,
    apiOrigin,
    pageOrigin,
  });
  const realName = mountRealName({
    app,
    clock,
    account: openAccount(options.dataDir, 'realname', makeRealNameAccount),
    pageOrigin,
  });
  mountIndexPage(app, worlds, hasSampleGame);

  await app.listen({ port, host: '127.0.0.1' });
  const address = app.server.address();
  if (typeof address === 'object' && address) port = address.port;

  return {
    url: pageOrigin(),
    environment: {
      ...environmentOf(credentials, worlds, apiOrigin(), pageOrigin()),
      ...identities.environment(),
      ...realName.environment(apiOrigin()),
      ...Object.assign({}, ...mounted.map((one) => one.environment?.(hostsOf(pageOrigin(), apiOrigin())) ?? {})),
    },
    pay: (provider, reference) => payByControl(app, provider, reference),
    async close() {
      for (const one of mounted) one.close();
      await app.close();
      await shop.close();
      for (const journal of journals) journal.close();
    },
  };
}

function environmentOf(credentials: Credentials, worlds: Worlds, api: string, page: string): Record<string, string> {
  const games = [...worlds.keys()].flatMap((game) => {
    const name = `REFILL_GAME_${game.toUpperCase().replaceAll('-', '_')}_DEMO`;
    return [
      [`${name}_URL`, `${api}/game/${game}`],
      [`${name}_SECRETS`, credentials.games[game] ?? ''],
    ];
  });
  return {
    ...firstAccounts(credentials, api, page),
    // The sample game frames the shop.
    REFILL_DEMO_EMBED_PARENTS: page,
    ...Object.fromEntries(games),
  };
}
