// Finds the simulator of a made-up callback: those of `npm start`, those that the settings name, or, for a shop on a
// real sandbox, one of that provider alone, started for the call with the shop's own secrets.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLoopbackHost } from '#kernel/pay-link.ts';
import type { CreatePayment, PaymentProvider } from '#server/modules/payments/provider.ts';
import { createOutbound } from '#server/platform/outbound/outbound.ts';
import { locateData } from '#server/platform/settings/shop-folder.ts';
import { loadDemonstration } from '#cli/load-demonstration.ts';
import { InputFault, type Terminal } from '#cli/terminal.ts';
import { readSettings, variableOf } from './provider-settings.ts';

/** The provider knows this of the payment, as far as the shop told it. */
export type SimulatedPayment = {
  readonly reference: string;
  readonly providerRef: string | null;
  readonly input: CreatePayment;
};

export type FoundSimulator = {
  /** `/control/<provider>` of it, without a slash at the end. */
  readonly control: string;
  /** In whose words it signs. */
  readonly signsAs: string;
  close(): Promise<void>;
};

const nothing = async (): Promise<void> => undefined;

/** @throws InputFault when nothing that could speak for the provider is found */
export async function findSimulator(
  terminal: Terminal,
  provider: PaymentProvider,
  shopUrl: string,
  payment: SimulatedPayment,
): Promise<FoundSimulator> {
  const { name } = provider;
  const settings = readSettings(terminal).settingsOf(name);
  const given = Object.values(settings).filter((value) => value !== '');
  const local = given.flatMap((value) => (isLoopback(value) ? [new URL(value).origin] : []));
  for (const origin of local.length > 0 || given.length > 0 ? local : await readAddress(terminal))
    if (await answers(`${origin}/control/${name}`))
      return { control: `${origin}/control/${name}`, signsAs: 'the simulators that run', close: nothing };
  if (given.length === 0)
    throw new InputFault(
      `Nobody can speak for ${name}: start the shop by npm start, or give the settings of its sandbox (refill ` +
        `provider check ${name} lists them).`,
    );
  return speakFor(provider, settings, shopUrl, payment);
}

/** Of the simulators of `npm start` in the same data folder. */
async function readAddress({ environment }: Terminal): Promise<string[]> {
  const path = join(locateData(environment), 'simulators', 'address');
  const address = await readFile(path, 'utf8').catch(() => '');
  return URL.canParse(address) ? [new URL(address).origin] : [];
}

function isLoopback(value: string): boolean {
  if (!/^https?:/.test(value) || !URL.canParse(value)) return false;
  return isLoopbackHost(new URL(value).hostname);
}

async function answers(control: string): Promise<boolean> {
  const answer = await fetch(`${control}?limit=0`, { signal: AbortSignal.timeout(3_000) }).catch(() => null);
  return answer?.ok === true;
}

/** The payment is begun there by the adapter itself, then secrets and its id are those of the sandbox. */
async function speakFor(
  provider: PaymentProvider,
  settings: Readonly<Record<string, string>>,
  shopUrl: string,
  payment: SimulatedPayment,
): Promise<FoundSimulator> {
  const { name } = provider;
  // Loaded only now: no other command needs simulators.
  const { canSpeakFor, renamePayment, startOnePayment } = await loadDemonstration(
    `No simulator answers for ${name}, and the packages of the simulators are`,
    () => import('#simulators/one-payment.ts'),
  );
  if (!canSpeakFor(name))
    throw new InputFault(
      `${name} signs its messages with a key that only ${name} has, so nothing can be sent in its name for a ` +
        'real sandbox: try it with the simulators of npm start.',
    );
  const dataDir = await mkdtemp(join(tmpdir(), 'refill-callback-'));
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const first = await startOnePayment({ name, dataDir, shopUrl });
    const own = settingsIn(first.environment, name);
    try {
      const ref = await begin(provider, own, payment.input);
      // Our reference stands for the provider's id where it has none yet.
      const isOwn = ref !== null && ref !== payment.reference;
      if (isOwn && payment.providerRef !== null) renamePayment(dataDir, name, ref, payment.providerRef);
    } finally {
      await first.close();
    }
    const changed = new Map<string, string>();
    for (const [setting, value] of Object.entries(own)) {
      // The first of several secrets is the one that signs.
      const theirs = /(KEYS|SECRETS)$/.test(setting) ? settings[setting]?.split(',')[0]?.trim() : settings[setting];
      if (theirs && !value.startsWith('http')) changed.set(value, theirs);
    }
    const second = await startOnePayment({ name, dataDir, shopUrl, changed });
    const close = async () => {
      await second.close();
      await remove();
    };
    return {
      control: `${second.url}/control/${name}`,
      signsAs: 'this command, with the secrets of the sandbox',
      close,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function begin(
  provider: PaymentProvider,
  settings: Record<string, string>,
  input: CreatePayment,
): Promise<string | null> {
  const outbound = createOutbound({ allowedHosts: new Set(provider.apiHosts(settings, 'demo')) });
  try {
    const context = { environment: 'demo' as const, settings, outbound, now: Date.now, cache: new Map() };
    const outcome = await provider.create(context, input);
    if (outcome.kind === 'redirect' || outcome.kind === 'page') return outcome.providerRef;
    const reason = 'reason' in outcome ? outcome.reason : outcome.kind;
    throw new InputFault(`The simulator of ${provider.name} does not take this order: ${reason}.`);
  } finally {
    await outbound.close();
  }
}

function settingsIn(environment: Readonly<Record<string, string>>, name: string): Record<string, string> {
  const prefix = variableOf(name, 'demo', '');
  const found = Object.entries(environment).filter(([variable]) => variable.startsWith(prefix));
  return Object.fromEntries(found.map(([variable, value]) => [variable.slice(prefix.length), value]));
}
