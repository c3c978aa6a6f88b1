// One connection that LISTENs. It only wakes early: whoever uses it polls as well, because
// notifications are lost behind transaction pooling and while reconnecting.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '#server/platform/log.ts';

/** Our choice: long enough not to hammer a database that is starting. */
const RECONNECT_MS = 2000;
/** Our choice: a pooler without a free connection keeps it for minutes, and a start goes on without it. */
const FIRST_TRY_MS = 5000;

/** Calls the function of a channel for each notification on it; reconnects by itself. */
export async function listenFor(
  databaseUrl: string,
  onNotify: Readonly<Record<string, () => void>>,
  log: Log,
): Promise<{ stop(): Promise<void> }> {
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: databaseUrl, application_name: 'refill-listen', keepAlive: true });
    next.on('error', (error) => {
      log.warn({ err: error }, 'the listening connection broke; polling goes on');
      reconnect(next);
    });
    next.on('notification', ({ channel }) => onNotify[channel]?.());
    try {
      await next.connect();
      for (const channel of Object.keys(onNotify)) await next.query(`listen ${pg.escapeIdentifier(channel)}`);
      client = next;
    } catch (error) {
      log.warn({ err: error }, 'listening is not possible now; polling goes on');
      reconnect(next);
    }
  }

  function reconnect(broken: pg.Client): void {
    client = null;
    broken.removeAllListeners('notification');
    broken.end().catch(() => undefined);
    if (!isStopped) timer = setTimeout(() => void connect(), RECONNECT_MS);
  }

  await Promise.race([connect(), sleep(FIRST_TRY_MS, undefined, { ref: false })]);
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
}
