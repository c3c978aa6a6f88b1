// The tests with real processes, with their two loads: in full with `npm run chaos`, short inside `npm test`.
import { shiftClock } from './clock.ts';
import { refuseWrites } from './database-refuses.ts';
import { killDatabase, stopDatabase } from './database.ts';
import { failOver } from './failover.ts';
import { killBeforeCommit, killServers } from './kills.ts';
import type { ChaosTest } from './kit/chaos-test.ts';
import { processTest } from './kit/finding.ts';
import { replaceLeader } from './patroni.ts';
import { runManyProcesses } from './processes.ts';
import { outage } from './partitions-outage.ts';
import { partition } from './partitions.ts';
import { cutAnswers } from './proxy-cuts.ts';
import { readAtReplica } from './replica.ts';
import { killReplenish } from './replenish-kills.ts';
import { rush } from './rush.ts';

const killOneServer = processTest({
  number: '1',
  name: 'kills',
  about: 'kill -9 of the one server while orders flow, the game loses 5 % of its answers',
  loads: { short: { orders: 36, kills: 2, players: 8 }, full: { orders: 2000, kills: 20, players: 16 } },
  describe: ({ orders, kills }) => `${orders} orders, ${kills} kills`,
  run: (load, borrowed) => killServers(1, load, borrowed),
});

const killTwoServers = processTest({
  number: '2',
  name: 'kills',
  about: 'kill -9 of two servers in turn',
  loads: { short: { orders: 100, kills: 4, players: 8 }, full: { orders: 2000, kills: 30, players: 16 } },
  describe: ({ orders, kills }) => `${orders} orders, ${kills} kills`,
  run: (load, borrowed) => killServers(2, load, borrowed),
});

const killBetween = processTest({
  number: '4',
  name: 'kills',
  about: 'kill -9 between "the provider has accepted" and our commit',
  loads: { short: { orders: 8, atOnce: 8, isHurried: true }, full: { orders: 200, atOnce: 50, isHurried: false } },
  describe: ({ orders, atOnce }) => `${orders} orders, ${atOnce} a kill`,
  run: killBeforeCommit,
});

const killInReplenish = processTest({
  number: '4b',
  name: 'replenish',
  about: 'kill -9 of web server and worker in turn while make-up payments are paid, unblocked and refunded',
  loads: { short: { payments: 8, kills: 2, atOnce: 8 }, full: { payments: 200, kills: 20, atOnce: 8 } },
  describe: ({ payments, kills }) => `${payments} payments, ${kills} kills`,
  run: killReplenish,
});

const gamesDown = processTest({
  number: '16',
  name: 'outage',
  about: 'the games are down while players pay, then back',
  loads: { short: { orders: 60, players: 8 }, full: { orders: 1000, players: 32 } },
  describe: ({ orders }) => `${orders} orders`,
  run: outage,
});

const cutGrants = processTest({
  number: '17',
  name: 'cuts',
  about: 'the game has given the goods, its answer is cut at every byte',
  loads: { short: { every: 80 }, full: { every: 1 } },
  describe: ({ every }) => (every === 1 ? 'every byte' : `every ${every}th byte`),
  run: cutAnswers,
});

const stopPostgres = processTest({
  number: '21',
  name: 'database',
  about: 'PostgreSQL is stopped for a while, payments go on',
  loads: { short: { seconds: 5, orders: 24, players: 8 }, full: { seconds: 60, orders: 200, players: 16 } },
  describe: ({ seconds, orders }) => `${seconds} s, ${orders} payments`,
  run: stopDatabase,
});

const killPostgres = processTest({
  number: '21b',
  name: 'database',
  about: 'kill -9 of PostgreSQL while orders flow',
  loads: { short: { orders: 60, kills: 2, players: 8 }, full: { orders: 1000, kills: 10, players: 16 } },
  describe: ({ orders, kills }) => `${orders} orders, ${kills} kills`,
  run: killDatabase,
});

const refusingPostgres = processTest({
  number: '22',
  name: 'database',
  about: 'PostgreSQL is read-only, out of connections, out of disk',
  loads: { short: { seconds: 3, orders: 16, players: 8 }, full: { seconds: 20, orders: 100, players: 16 } },
  describe: ({ seconds, orders }) => `3 x ${seconds} s, ${orders} orders before each`,
  run: refuseWrites,
});

const partitioned = processTest({
  number: '23',
  name: 'partitions',
  about: 'cut off from games, providers or the database',
  loads: { short: { seconds: 14, orders: 24, players: 8 }, full: { seconds: 60, orders: 200, players: 8 } },
  describe: ({ seconds, orders }) => `4 x ${seconds} s, ${orders} orders in each`,
  run: partition,
});

const wrongClock = processTest({
  number: '24',
  name: 'clock',
  about: 'one of two servers has a clock ten minutes ahead, then an hour behind',
  loads: { short: { orders: 20, players: 8 }, full: { orders: 1000, players: 16 } },
  describe: ({ orders }) => `${orders} orders`,
  run: shiftClock,
});

const crowd = processTest({
  number: '26',
  name: 'rush',
  about: 'everybody at once for a stock of a few',
  loads: { short: { buyers: 500, stock: 20 }, full: { buyers: 10_000, stock: 100 } },
  describe: ({ buyers, stock }) => `${buyers} buyers, ${stock} pieces`,
  run: rush,
});

const failOverSynchronous = processTest({
  number: '19',
  name: 'failover',
  about: 'the primary dies, a synchronous standby is promoted',
  loads: {
    short: { isSynchronous: true, failovers: 2, clients: 8, seconds: 3 },
    full: { isSynchronous: true, failovers: 10, clients: 16, seconds: 5 },
  },
  describe: ({ failovers, clients }) => `${failovers} failovers, ${clients} clients`,
  run: failOver,
});

const failOverAsynchronous = processTest({
  number: '19b',
  name: 'failover',
  about: 'the same with an asynchronous standby: what the setting is for',
  loads: {
    short: { isSynchronous: false, failovers: 2, clients: 8, seconds: 3 },
    full: { isSynchronous: false, failovers: 10, clients: 16, seconds: 5 },
  },
  describe: ({ failovers, clients }) => `${failovers} failovers, ${clients} clients`,
  run: failOver,
});

const patroni = processTest({
  number: '20',
  name: 'patroni',
  about: 'Patroni replaces a leader that was killed with its agent',
  loads: { short: { failovers: 1, clients: 4, seconds: 3 }, full: { failovers: 3, clients: 16, seconds: 10 } },
  describe: ({ failovers, clients }) => `${failovers} leaders, ${clients} clients`,
  run: (load, _borrowed, options) => replaceLeader(load, options['root']),
});

const manyProcesses = processTest({
  number: '41',
  name: 'processes',
  about: 'one, two and four web processes and one or two workers on one database, then behind PgBouncer with Valkey',
  loads: {
    short: { stages: [{ web: 2, workers: 1, isPooled: true }], orders: 24, players: 8 },
    full: {
      stages: [
        { web: 1, workers: 1, isPooled: false },
        { web: 2, workers: 1, isPooled: false },
        { web: 4, workers: 2, isPooled: false },
        { web: 4, workers: 2, isPooled: true },
      ],
      orders: 300,
      players: 16,
    },
  },
  describe: ({ stages, orders }) => `${stages.length} x ${orders} orders`,
  run: runManyProcesses,
});

const replicaReads = processTest({
  number: '43',
  name: 'replica',
  about: 'a replica that is read stands still, is gone and comes back',
  loads: { short: { orders: 8, players: 4 }, full: { orders: 200, players: 16 } },
  describe: ({ orders }) => `2 x ${orders} orders`,
  run: readAtReplica,
});

export const processTests: readonly ChaosTest[] = [
  killOneServer,
  killTwoServers,
  killBetween,
  killInReplenish,
  gamesDown,
  cutGrants,
  stopPostgres,
  killPostgres,
  refusingPostgres,
  partitioned,
  wrongClock,
  crowd,
  failOverSynchronous,
  failOverAsynchronous,
  patroni,
  manyProcesses,
  replicaReads,
];
