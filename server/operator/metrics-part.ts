// `/metrics` on the operator's port, for Prometheus.
import type { Composed } from '#server/compose.ts';
import { setGauge, watchProcess, writeMetrics } from '#server/platform/metrics/metrics.ts';
import type { Db } from '#server/platform/database/db.ts';
import { readVersion } from '#server/platform/version.ts';
import type { OperatorPart } from './operator-server.ts';
import { mayReadHere } from './reading-key.ts';
import { createShopNumbers } from './shop-numbers.ts';

export function metricsPart(shop: Composed): OperatorPart {
  const { batchDb, cannotSell, config, configuration, db, gameReach, nodes, orders } = shop;
  const listPools = (): Db[] => [db, ...(batchDb ? [batchDb] : []), ...(nodes?.list() ?? [])];
  const readDatabase = createShopNumbers(shop);
  const version = readVersion();
  const readProcess = () => {
    setGauge('build', { version, environment: config.environment, role: config.role }, 1);
    setGauge('revision', {}, configuration().revision);
    const sum = (count: (pool: Db) => number) => listPools().reduce((total, pool) => total + count(pool), 0);
    setGauge(
      'poolConnections',
      { state: 'used' },
      sum(({ idleCount, totalCount }) => totalCount - idleCount),
    );
    setGauge(
      'poolConnections',
      { state: 'idle' },
      sum(({ idleCount }) => idleCount),
    );
    setGauge(
      'poolConnections',
      { state: 'wanted' },
      sum(({ waitingCount }) => waitingCount),
    );
    const { entries, bytes } = orders.record?.figures() ?? { entries: 0, bytes: 0 };
    setGauge('callbackRecordEntries', {}, entries);
    setGauge('callbackRecordBytes', {}, bytes);
    const reasons = new Map(cannotSell().map((one) => [one.brand, one.reasons.length]));
    for (const brand of configuration().brands.keys()) setGauge('brandCannotSell', { brand }, reasons.get(brand) ?? 0);
    for (const game of configuration().games.keys())
      setGauge('gameUnreachable', { game }, gameReach.faultOf(game) ? 1 : 0);
  };
  return (app) => {
    watchProcess();
    const mayRead = mayReadHere(config);
    app.get('/metrics', async (request, reply) => {
      if (!mayRead(request)) return reply.callNotFound();
      readProcess();
      await readDatabase();
      const { contentType, text } = await writeMetrics();
      return reply.type(contentType).send(text);
    });
  };
}
