// `refill provider check`: a provider's settings, hosts, credentials and clock, before the first player finds out.
import type { Environment } from '#kernel/environment.ts';
import type { Checked } from '#server/modules/payments/check.ts';
import { CLOCK_LIMIT_SECONDS, checkProvider, isWell } from '#server/modules/payments/check.ts';
import type { PaymentProvider } from '#server/modules/payments/provider.ts';
import { createOutbound } from '#server/platform/outbound/outbound.ts';
import { findProvider, readSettings, variableOf } from './provider-settings.ts';
import { drawTable, EXIT, printJson, type Terminal } from '#cli/terminal.ts';

export async function runCheck(terminal: Terminal, name: string, options: { json?: boolean }): Promise<void> {
  const provider = await findProvider(terminal, name);
  const { environment, settingsOf } = readSettings(terminal);
  const settings = settingsOf(name);
  const opened: { close(): Promise<void> }[] = [];
  try {
    const checked = await checkProvider(provider, {
      environment,
      settings,
      now: Date.now,
      open: (allowedHosts) => {
        const outbound = createOutbound({ allowedHosts });
        opened.push(outbound);
        return outbound;
      },
    });
    if (!isWell(checked)) terminal.setExitCode(EXIT.fault);
    if (options.json) printJson(terminal, toJson(provider, environment, checked));
    else terminal.out(describe(provider, environment, checked));
  } finally {
    await Promise.all(opened.map((one) => one.close()));
  }
}

function toJson({ name }: PaymentProvider, environment: Environment, checked: Checked): object {
  const { clockSeconds, hosts, missing, outcome, unproven } = checked;
  return {
    ok: isWell(checked),
    provider: name,
    environment,
    missing: missing.map((one) => ({ variable: variableOf(name, environment, one.name), about: one.about })),
    outcome,
    unproven,
    hosts,
    clock: clockSeconds === null ? null : { seconds: clockSeconds, is_off: checked.isClockOff },
  };
}

function describe(provider: PaymentProvider, environment: Environment, checked: Checked): string {
  const { clockSeconds, hosts, isClockOff, missing, outcome, unproven } = checked;
  const title = `${provider.name} (${environment})`;
  const explain = (names: readonly string[]) => {
    const rows = names.map((name) => [
      variableOf(provider.name, environment, name),
      provider.settings.find((one) => one.name === name)?.about,
    ]);
    return drawTable(['SETTING', 'WHERE TO FIND IT'], rows);
  };
  if (missing.length > 0)
    return `${title} is off: ${count(missing.length, 'setting')} missing.\n\n${explain(missing.map(({ name }) => name))}`;
  const parts: string[] = [];
  switch (outcome?.kind) {
    case 'ok':
      parts.push(`${title}: ok. ${outcome.said}.`, `Proven: ${outcome.proven.join(', ')}.`);
      if (unproven.length > 0) parts.push(`Not proven by this: ${unproven.join(', ')}.`);
      break;
    case 'refused':
      parts.push(`${title}: refused. ${outcome.reason}.`);
      if (outcome.lookAt.length > 0) parts.push(`Look at:\n${explain(outcome.lookAt)}`);
      break;
    case 'unreachable':
      parts.push(`${title}: unreachable. ${outcome.reason}.`);
      break;
    default:
      parts.push(`${title}: nothing to ask. ${outcome?.reason}.`);
  }
  if (hosts.length > 0)
    parts.push(
      drawTable(
        ['HOST', 'USE', 'ANSWER'],
        hosts.map((one) => [one.host, one.use, one.status ?? one.fault]),
      ),
    );
  if (clockSeconds !== null && isClockOff)
    parts.push(
      `The clocks are apart: the provider's is ${Math.abs(clockSeconds)} s ` +
        `${clockSeconds > 0 ? 'ahead of' : 'behind'} ours (more than ${CLOCK_LIMIT_SECONDS} s). Set this machine's ` +
        'clock by NTP: signed times are refused else.',
    );
  else if (clockSeconds !== null) parts.push(`The clocks agree to ${Math.abs(clockSeconds)} s.`);
  return parts.join('\n\n');
}

function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun} is` : `${number} ${noun}s are`;
}
