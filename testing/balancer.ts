// A plain balancer for tests: takes its backends in turn, sends to those whose /readyz said yes when it last looked,
// keeps connections open, and repeats nothing, so that every fault of a backend is seen.
import { Pool } from 'undici';

export type Balancer = {
  /** Asks every backend once; from then on calls go to those that are ready. */
  look(): Promise<boolean[]>;
  /** @throws what a caller behind a balancer would see as a broken connection or as "no backend" */
  get(path: string, host: string): Promise<{ status: number; connection: string | undefined; backend: number }>;
  close(): Promise<void>;
};

export function createBalancer(origins: readonly string[]): Balancer {
  const pools = origins.map((origin) => new Pool(origin, { connections: 4, pipelining: 1 }));
  let ready: number[] = [];
  let turn = 0;
  return {
    look: async () => {
      const answers = await Promise.all(
        pools.map(async (pool) => {
          const answer = await pool.request({ method: 'GET', path: '/readyz' }).catch(() => null);
          await answer?.body.dump();
          return answer?.statusCode === 200;
        }),
      );
      ready = answers.flatMap((isReady, index) => (isReady ? [index] : []));
      return answers;
    },
    get: async (path, host) => {
      turn += 1;
      const backend = ready[turn % ready.length];
      const pool = backend === undefined ? undefined : pools[backend];
      if (backend === undefined || !pool) throw new Error('no backend is ready');
      const { statusCode, headers, body } = await pool.request({ method: 'GET', path, headers: { host } });
      await body.dump();
      return { status: statusCode, connection: headers.connection?.toString(), backend };
    },
    close: async () => {
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };
}
