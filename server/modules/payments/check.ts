// Checks whether a configured provider would work: its settings, its hosts, its own answer to a harmless question, and
// its clock beside ours. Changes nothing.
import type { Environment } from '#kernel/environment.ts';
import { type Outbound, OutboundError } from '#server/platform/outbound/outbound.ts';
import { findFormFault, formOf } from '#kernel/setting-form.ts';
import type { CheckOutcome, PaymentProvider, ProviderContext, SettingDeclaration } from './provider.ts';

/** One host of the declaration, and whether anybody answered there. */
export type HostLook = {
  readonly host: string;
  /** `api`: our server calls it. `pay`: only the player's browser goes there. */
  readonly use: 'api' | 'pay';
  /** HTTP status of the first answer, whatever it is; null when nobody answered. */
  readonly status: number | null;
  /** Why nobody answered, else null. */
  readonly fault: string | null;
};

export type Checked = {
  /** Required settings without a value; nothing was asked then. */
  readonly missing: readonly SettingDeclaration[];
  /** Null while settings are missing. */
  readonly outcome: CheckOutcome | null;
  /** Settings that have a value which no answer has proven. */
  readonly unproven: readonly string[];
  readonly hosts: readonly HostLook[];
  /** The provider's clock less ours, whole seconds; null when no answer told a time. */
  readonly clockSeconds: number | null;
  /** Is true when the clocks differ by enough to report. */
  readonly isClockOff: boolean;
};

/** Our choice: PayerMax refuses calls two minutes off, signed redirects after five; half of the stricter one. */
export const CLOCK_LIMIT_SECONDS = 60;

/** Our choice: whether a host is there at all is known within this. */
const LOOK_MS = 5000;

type Settings = Readonly<Record<string, string>>;

/** Required settings that have no value. */
export function findMissing(provider: PaymentProvider, settings: Settings): readonly SettingDeclaration[] {
  return provider.settings.filter(({ isRequired, name }) => isRequired && !settings[name]);
}

/**
 * Asks the provider once and looks at each of its hosts. Throws nothing for the outside.
 * @param input.open makes the way out for exactly these hosts
 * @param input.now epoch milliseconds
 */
export async function checkProvider(
  provider: PaymentProvider,
  input: {
    environment: Environment;
    settings: Settings;
    open: (hosts: ReadonlySet<string>) => Outbound;
    now: () => number;
  },
): Promise<Checked> {
  const { environment, now, settings } = input;
  const blank = { missing: [], outcome: null, unproven: [], hosts: [], clockSeconds: null, isClockOff: false };
  const missing = findMissing(provider, settings);
  if (missing.length > 0) return { ...blank, missing };
  const named = readHosts(provider, settings, environment);
  const faulty = findFaulty(provider, settings, 'outcome' in named ? named.outcome : null);
  if (faulty) return { ...blank, outcome: faulty };
  if ('outcome' in named) return { ...blank, outcome: named.outcome };
  const outbound = input.open(new Set([...named.api, ...named.pay]));
  const ear = listen(outbound, now);
  const outcome = await askProvider(provider, { ...input, outbound: ear.outbound });
  const hosts = await Promise.all([
    ...named.api.map((host) => visit(ear.outbound, host, 'api', environment)),
    ...named.pay.filter((host) => !named.api.includes(host)).map((host) => visit(outbound, host, 'pay', environment)),
  ]);
  const clockSeconds = ear.clockSeconds();
  const proven = outcome.kind === 'ok' ? outcome.proven : [];
  return {
    missing,
    outcome,
    unproven: provider.settings.map(({ name }) => name).filter((name) => settings[name] && !proven.includes(name)),
    hosts,
    clockSeconds,
    isClockOff: clockSeconds !== null && Math.abs(clockSeconds) > CLOCK_LIMIT_SECONDS,
  };
}

/** Nothing is missing, the provider does not refuse us, and the clocks agree. */
export function isWell({ isClockOff, outcome }: Checked): boolean {
  return !isClockOff && (outcome?.kind === 'ok' || outcome?.kind === 'nothing_to_ask');
}

type Refused = Extract<CheckOutcome, { kind: 'refused' }>;

/** All at once, as a start tells them. @param whole of all settings together, where the adapter refuses them */
function findFaulty(provider: PaymentProvider, settings: Settings, whole: Refused | null): CheckOutcome | null {
  const faults = provider.settings.flatMap((setting) => {
    const value = settings[setting.name];
    const form = formOf(setting);
    const fault = value && form ? findFormFault(form, value, setting.isSecret) : null;
    return fault ? [{ ...fault, name: setting.name }] : [];
  });
  if (faults.length === 0) return null;
  const names = faults.map(({ name }) => name);
  // An adapter stops at its first fault, which may be one of these.
  const isExplained = whole === null || whole.lookAt.some((name) => names.includes(name));
  return {
    kind: 'refused',
    reason: [
      ...faults.map(({ name, reason, remedy }) => `${name} ${reason}: ${remedy}`),
      ...(isExplained ? [] : [whole.reason]),
    ].join('; '),
    lookAt: [...names, ...(isExplained ? [] : whole.lookAt)],
  };
}

function readHosts(provider: PaymentProvider, settings: Settings, environment: Environment) {
  try {
    return { api: provider.apiHosts(settings, environment), pay: provider.payHosts(settings, environment) };
  } catch (error) {
    return { outcome: readFault(provider, settings, error) };
  }
}

/** The provider's answer to its harmless question, without our secrets. */
export async function askProvider(
  provider: PaymentProvider,
  { environment, now, outbound, settings }: Omit<ProviderContext, 'cache'>,
): Promise<CheckOutcome> {
  const outcome = await askOnce();
  return hideSecrets(provider, settings, outcome);

  async function askOnce(): Promise<CheckOutcome> {
    if (!provider.check) return { kind: 'nothing_to_ask', reason: 'its adapter has no check' };
    try {
      // A cache of its own: a token from before would prove nothing of the key.
      return await provider.check({ environment, settings, outbound, now, cache: new Map() });
    } catch (error) {
      if (error instanceof OutboundError) return { kind: 'unreachable', reason: error.message };
      return readFault(provider, settings, error);
    }
  }
}

/**
 * Settings that cannot be read are told by adapters in a plain Error of one sentence, or are an address that URL
 * refuses; everything else is a bug and stays one.
 */
function readFault(provider: PaymentProvider, settings: Settings, error: unknown): Refused {
  const names = provider.settings.map(({ name }) => name);
  if (error instanceof TypeError && 'input' in error) {
    const lookAt = names.filter((name) => settings[name] === error.input);
    return { kind: 'refused', reason: `"${String(error.input).slice(0, 100)}" is no address`, lookAt };
  }
  if (!(error instanceof Error) || error.constructor !== Error) throw error;
  return { kind: 'refused', reason: error.message, lookAt: names.filter((name) => error.message.includes(name)) };
}

/** The same way out, which notes what time the answers tell. */
function listen(outbound: Outbound, now: () => number) {
  const offsets: number[] = [];
  const listening: Outbound = async (url, call) => {
    const sentAt = now();
    const answer = await outbound(url, call);
    const toldAt = Date.parse(answer.headers['date'] ?? '');
    // The header has whole seconds, so half a second is added; it was written about half-way.
    if (!Number.isNaN(toldAt)) offsets.push(toldAt + 500 - (sentAt + now()) / 2);
    return answer;
  };
  return {
    outbound: listening,
    // The first answer is the one to our question; later ones only tell that hosts are there.
    clockSeconds: () => (offsets[0] === undefined ? null : Math.round(offsets[0] / 1000)),
  };
}

/** A GET of the host's root: public, and any status is an answer. */
async function visit(
  outbound: Outbound,
  host: string,
  use: HostLook['use'],
  environment: Environment,
): Promise<HostLook> {
  // Simulators on this machine speak plain http.
  const isLocal = environment === 'demo' && /^(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(host);
  try {
    const url = `${isLocal ? 'http' : 'https'}://${host}/`;
    const { status } = await outbound(url, { method: 'GET', timeoutMs: LOOK_MS });
    return { host, use, status, fault: null };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { host, use, status: null, fault: error.message };
  }
}

/** A provider may repeat in its refusal what it was sent. */
function hideSecrets(provider: PaymentProvider, settings: Settings, outcome: CheckOutcome): CheckOutcome {
  const secrets = provider.settings.flatMap(({ isSecret, name }) => {
    const value = isSecret ? settings[name] : undefined;
    return value
      ? value
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part.length >= 4)
      : [];
  });
  const hide = (text: string) => secrets.reduce((left, secret) => left.replaceAll(secret, '***'), text);
  if (outcome.kind === 'ok') return { ...outcome, said: hide(outcome.said) };
  return { ...outcome, reason: hide(outcome.reason) };
}
