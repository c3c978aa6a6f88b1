// One simulated world: two processes of the shop that may be killed and come back, two providers, a
// game, one database, one clock.
// What happens in it is told by a story (players.ts, chaos/crash-points.ts); what must be true
// at its end is in verdict.ts.
import type pg from 'pg';
import { type Configuration, loadConfiguration } from '#server/modules/configuration/service.ts';
import type { CallbackReading, PaymentReport } from '#server/modules/payments/provider.ts';
import { openDb } from '#server/platform/database/db.ts';
import { createLog } from '#server/platform/log.ts';
import { createMemoryFolder } from '#testing/memory-folder.ts';
import { createFaultyDb } from './faulty-db.ts';
import { CALM, type Profile } from './profile.ts';
import { type Random, createRandom } from './random.ts';
import { type ShopInstance, startShopInstance } from './shop-instance.ts';
import { createSimGame } from './sim-game.ts';
import { createSimProvider } from './sim-provider.ts';
import { type FaultDecision, type ProcessInstance, type Step, createStepper } from './stepper.ts';
import { beginAnew } from './virtual-time.ts';

/** The brands, games and channels of a database. */
export async function readShop(url: string): Promise<Configuration> {
  const db = openDb(url, { max: 1, onError: () => undefined });
  try {
    return await loadConfiguration(db);
  } finally {
    await db.end();
  }
}

/** The earliest moment at which any poll of the shop finds work. */
const NEXT_DUE = `select extract(epoch from min(at)) * 1000 as due from (
  select min(next_at) as at from delivery where state in ('queued', 'calling', 'unknown')
  union all select min(greatest(next_query_at, queried_at + interval '5 seconds', capture_lease_until))
    from payment_attempt where state in ('sent', 'redirected', 'unknown') and next_query_at is not null
  union all select min(greatest(expires_at, expiry_lease_until)) from orders where state in ('created', 'pending')
  union all select min(next_at) from refund where state in ('due', 'calling', 'pending')
  union all select min(next_at) from revocation where state in ('queued', 'calling')
  union all select min(greatest(next_try_at, lease_until)) from callback_inbox where state = 'stored') as waiting`;

/** A provider of a world. */
export type ProviderKind = {
  readonly name: string;
  readonly isCapturing: boolean;
  readonly payableForSeconds: number;
  readonly repeatsCallbacksForSeconds?: number | undefined;
  /** Waits before each repetition of a callback that was not acknowledged; null: it sends none at all. */
  readonly resendsMs: readonly number[] | null;
};

/** Our choice: longer than any fault of a world lasts. */
const RESEND_MS = [10_000, 60_000, 600_000, 3_600_000, 21_600_000, 86_400_000];
const TWO_KINDS: readonly ProviderKind[] = [
  { name: 'adyen', isCapturing: false, payableForSeconds: 1800, resendsMs: RESEND_MS },
  { name: 'paypal', isCapturing: true, payableForSeconds: 3 * 3600, resendsMs: RESEND_MS },
];
/** Our choice: far more than any world writes. */
const RECORD_BYTES = 64 * 1024 ** 2;

export type World = Awaited<ReturnType<typeof createWorld>>;

const isMoneyBack = ({ status }: PaymentReport): boolean => status === 'refunded' || status === 'chargeback';
/** A caller sees this of a process that dies before it answers. */
const CUT_OFF = 'connection reset';

export async function createWorld(deps: {
  client: pg.Client;
  configuration: Configuration;
  seed: number;
  profile: Profile;
  /** Instead of chance: decides over every step. */
  decideFault?: (step: Step) => FaultDecision;
  instances?: number;
  /** Steps of several orders may share a transaction; they do unless told. */
  isSharing?: boolean;
  kinds?: readonly ProviderKind[];
  /** When the database is away: begin and end, epoch milliseconds. */
  outage?: readonly [number, number];
  /** The processes keep callbacks on a disk that they share; they do not unless told. */
  hasRecord?: boolean;
}) {
  const { client, outage } = deps;
  await beginAnew(client);
  const random: Random = createRandom(deps.seed);
  const faults: string[] = [];
  /** Money that went back, told to a process as it died, by a provider that never says it again and is not asked. */
  const cutOff = new Set<string>();
  const acknowledged = new Set<string>();
  let profile = deps.profile;
  let started = 0;
  /** Positions of the processes: what a load balancer knows. */
  const shops: (ShopInstance | null)[] = Array.from({ length: deps.instances ?? 2 }, () => null);

  const drawFault = ({ kind }: Step): FaultDecision => {
    if (random.chance(profile.crash)) return random.chance(0.5) ? 'die-before' : 'die-after';
    if (kind === 'db' && random.chance(profile.connectionLoss))
      return random.chance(0.5) ? 'fail-before' : 'fail-after';
    return 'goes-well';
  };
  const isAway = (): boolean => outage !== undefined && stepper.now() >= outage[0] && stepper.now() < outage[1];
  const disk = createMemoryFolder({ now: () => stepper.now() });
  const stepper = createStepper({
    client,
    decideFault: (step) => (step.kind === 'db' && isAway() ? 'fail-before' : (deps.decideFault ?? drawFault)(step)),
    connectionLost: () => new Error('Connection terminated unexpectedly'),
    nextDue: async () => {
      const { rows } = await client.query<{ due: string | null }>({ name: 'sim_next_due', text: NEXT_DUE });
      const waitsOnDisk = disk.names().length > 0;
      const due = waitsOnDisk ? stepper.now() : rows[0]?.due == null ? Infinity : Number(rows[0].due);
      return outage && isAway() ? Math.max(due, outage[1]) : due;
    },
    jitter: random.next,
  });
  const alerts: string[] = [];
  const log = createLog('warn', {
    write: (line: string) => {
      const said = JSON.parse(line) as {
        msg?: string;
        alert?: string;
        billing_no?: string;
        err?: { message?: string };
      };
      if (said.alert) alerts.push(`${said.alert} ${said.billing_no ?? ''}`);
      stepper.note(`  log: ${said.alert ? `[${said.alert}] ` : ''}${said.msg ?? ''} ${said.err?.message ?? ''}`);
    },
  });

  /** Some process of the shop does `work`; rejects when the process dies, or the answer is lost on its way. */
  async function onSomeInstance<Answer>(work: (shop: ShopInstance) => Promise<Answer>): Promise<Answer> {
    const alive = shops.filter((shop): shop is ShopInstance => shop !== null);
    if (alive.length === 0) throw new Error('connection refused');
    const shop = random.pick(alive);
    return new Promise<Answer>((resolve, reject) => {
      const die = () => reject(new Error(CUT_OFF));
      shop.instance.onDeath.add(die);
      work(shop)
        .then(resolve, reject)
        .finally(() => shop.instance.onDeath.delete(die));
    });
  }

  const kinds = deps.kinds ?? TWO_KINDS;
  const resendsOf = new Map(kinds.map(({ name, resendsMs }) => [name, resendsMs]));
  const providers = kinds.map((kind) =>
    createSimProvider({ ...kind, stepper, random, trouble: () => profile.provider, send: sendCallback }),
  );
  const game = createSimGame({
    stepper,
    random,
    trouble: () => profile.game,
    // P3, in the very moment: no goods without money that was taken and equals the price.
    onApplied: (billingNo) => {
      const hasMoney = paymentsOf(billingNo).some((payment) => payment.takenMinor === payment.amount.amountMinor);
      if (!hasMoney) faults.push(`goods of ${billingNo} were given without equal money`);
    },
  });

  function paymentsOf(billingNo: string) {
    return providers.flatMap((provider) =>
      [...provider.payments.values()].filter((payment) => payment.reference.startsWith(billingNo)),
    );
  }

  function bear(position: number): void {
    started += 1;
    const instance: ProcessInstance = {
      name: `${'ab'[position] ?? position}${started}`,
      isDead: false,
      onDeath: new Set(),
    };
    const db = createFaultyDb({
      client,
      stepper,
      instance,
      latency: () =>
        random.chance(0.02) ? random.between(100, 3000) : random.between(1, deps.profile.isRush ? 60 : 8),
    });
    instance.onDeath.add(() => {
      shops[position] = null;
      stepper.later(random.between(500, 20_000), `restart of ${position}`, () => bear(position));
    });
    // Its clock stands wrong, its work does not: time that counts is the database's.
    const clockSkewMs = position === 1 ? profile.clockSkewMs : 0;
    shops[position] = startShopInstance({
      instance,
      db,
      log,
      stepper,
      game,
      providers,
      configuration: deps.configuration,
      random: random.next,
      clockSkewMs,
      isSharing: deps.isSharing ?? true,
      callbackRecord: deps.hasRecord
        ? {
            folder: disk.open((operation) =>
              stepper.step({ instance, kind: 'port', label: `disk.${operation}`, latencyMs: 1 }, async () => undefined),
            ),
            capBytes: RECORD_BYTES,
          }
        : null,
    });
  }

  /** Providers send again until they are acknowledged, and sometimes more than that, in any order. */
  function sendCallback(provider: string, dedupKey: string, report: PaymentReport): void {
    if (resendsOf.get(provider) === null) return;
    const copies = random.chance(profile.callbackRepeat) ? random.between(2, 4) : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      // Money that is taken back is told by callback alone (or by the settlement report, which is no part of
      // this world): late, never lost.
      if (!isMoneyBack(report) && random.chance(profile.callbackLoss)) continue;
      const wait = random.chance(0.7)
        ? random.between(0, 3000)
        : random.chance(0.8)
          ? random.between(0, 600_000)
          : random.between(0, 86_400_000);
      deliverCallback(provider, dedupKey, report, wait, 0);
    }
  }

  function deliverCallback(
    provider: string,
    dedupKey: string,
    report: PaymentReport,
    waitMs: number,
    tries: number,
  ): void {
    stepper.later(waitMs, `callback ${dedupKey}`, () => {
      const reading: CallbackReading = {
        kind: 'events',
        events: [{ dedupKey, report }],
        answer: { status: 200, contentType: 'text/plain', body: 'ok' },
      };
      const raw = {
        method: 'POST',
        path: `/callback/${provider}`,
        topic: '',
        headers: {},
        query: {},
        body: Buffer.from(JSON.stringify(reading)),
        ip: '192.0.2.9',
      };
      stepper.note(`callback ${dedupKey} arrives`);
      const again = resendsOf.get(provider)?.[tries];
      const sendAgain = () => {
        if (again !== undefined) deliverCallback(provider, dedupKey, report, again, tries + 1);
      };
      onSomeInstance((shop) => shop.orders.takeCallback(provider, raw)).then(
        (answer) => {
          if (answer?.status !== 200) return sendAgain();
          acknowledged.add(dedupKey);
          cutOff.delete(dedupKey);
        },
        (error: Error & { code?: string }) => {
          // A connection may break; a statement that the database refuses is a mistake of ours.
          if (error.code) faults.push(`callback ${dedupKey} ended in an error: ${error.message}`);
          const isLast = again === undefined && isMoneyBack(report) && !acknowledged.has(dedupKey);
          if (isLast && error.message === CUT_OFF) cutOff.add(dedupKey);
          sendAgain();
        },
      );
    });
  }

  for (const position of shops.keys()) bear(position);
  return {
    client,
    random,
    stepper,
    shops,
    providers,
    game,
    faults,
    cutOff,
    alerts,
    onSomeInstance,
    paymentsOf,
    /** Names of the files that wait on the disk of the processes. */
    filesOnDisk: disk.names,
    profile: () => profile,
    /** From here on nothing goes wrong any more: what is unfinished must finish by itself. */
    calmDown: () => {
      profile = { ...CALM, callbackLoss: profile.callbackLoss };
    },
    /** A player of the brand "watt" with one character. */
    addPlayer: async (name: string) => {
      const player = { playerId: random.uuid(), suid: `u-${name}`, username: name };
      await stepper.syncClock();
      await client.query(`insert into player (player_id, brand_key, suid, username) values ($1, 'watt', $2, $3)`, [
        player.playerId,
        player.suid,
        name,
      ]);
      await client.query(
        `insert into player_role (player_id, client_id, server_id, area_id, role_id, name, level, server_name)
         values ($1, '70021', 's1', '', 'r1', 'Kestrel_07', 42, 'Altair')`,
        [player.playerId],
      );
      return player;
    },
    setStock: (productId: string, total: number) =>
      client.query('update product_stock set total = $2 where product_id = $1', [productId, total]),
  };
}
