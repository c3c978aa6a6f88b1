// `/metrics` on the operator's port, for Prometheus.
import type { Composed } from '#server/compose.ts';
import { setGauge, watchProcess, writeMetrics } from '#server/platform/metrics/metrics.ts';
import { readVersion } from '#server/platform/version.ts';
import type { OperatorPart } from './operator-server.ts';
import { mayReadHere } from './reading-key.ts';
import { createShopNumbers } from './shop-numbers.ts';

export function metricsPart(shop: Composed): OperatorPart {
  const { cannotSell, config, configuration, db, gameReach, orders } = shop;
  const readDatabase = createShopNumbers(shop);
  const version = readVersion();
  const readProcess = () => {
    setGauge('build', { version, environment: config.environment, role: config.role }, 1);
    setGauge('revision', {}, configuration().revision);
    setGauge('poolConnections', { state: 'used' }, db.totalCount - db.idleCount);
    setGauge('poolConnections', { state: 'idle' }, db.idleCount);
    setGauge('poolConnections', { state: 'wanted' }, db.waitingCount);
    const { entries, bytes } = orders.record?.figures() ?? { entries: 0, bytes: 0 };
    setGauge('callbackRecordEntries', {}, entries);
    setGauge('callbackRecordBytes', {}, bytes);
    const reasons = new Map(cannotSell().map((one) => [one.brand, one.reasons.length]));
    for (const brand of configuration().brands.keys()) setGauge('brandCannotSell', { brand }, reasons.get(brand) ?? 0);
    for (const game of configuration().games.keys())
      setGauge('gameUnreachable', { game }, gameReach.isLost(game) ? 1 : 0);
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
