// How many orders a second processors carry, from what one order costs: the model of docs/scaling.md. Pure.

/** Processor milliseconds of one order. */
export type OrderCost = { readonly server: number; readonly postgres: number; readonly driver: number };

/**
 * Of the processors at full load; the rest of the time everybody waits for the disk, or for each other. As measured:
 * ten phases of five commits on days that differed by 2.5 times lay between 0.72 and 0.86.
 */
const BUSY_SHARE = 0.8;

/** The shop alone needs this, without the driver of a bench. */
export type Need = {
  readonly serverProcessors: number;
  readonly postgresProcessors: number;
  /** Write-ahead log. */
  readonly walMegabytes: number;
  /** Between server and PostgreSQL, both ways. */
  readonly databaseMegabits: number;
  /** Rows and indexes of a day at this rate. */
  readonly diskGigabytesADay: number;
};

/** Bytes of one order. @source docs/benchmarks.md: `bench -- orders --statements`, `bench -- orders-growth` */
export type OrderBytes = { readonly wal: number; readonly database: number; readonly disk: number };

/** Orders a second when all of it runs on `processors`. */
export function predictRate(processors: number, { server, postgres, driver }: OrderCost): number {
  return (BUSY_SHARE * processors * 1000) / (server + postgres + driver);
}

/** @param rate orders a second, hour after hour */
export function sizeFor(rate: number, cost: Omit<OrderCost, 'driver'>, bytes: OrderBytes): Need {
  const busy = BUSY_SHARE * 1000;
  return {
    serverProcessors: (rate * cost.server) / busy,
    postgresProcessors: (rate * cost.postgres) / busy,
    walMegabytes: (rate * bytes.wal) / 1e6,
    databaseMegabits: (rate * bytes.database * 8) / 1e6,
    diskGigabytesADay: (rate * 86_400 * bytes.disk) / 1e9,
  };
}
