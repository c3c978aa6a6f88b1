// Looks at the outside of the shop: games, payment providers, and its own hosts as a player's browser reaches them.
import { DAY_MS } from '#kernel/time.ts';
import { connect } from 'node:tls';
import { once } from 'node:events';
import type { Configuration } from '#server/modules/configuration/service.ts';
import type { GameProtocol } from '#server/modules/games/protocol-port.ts';
import { checkProvider, CLOCK_LIMIT_SECONDS, findMissing } from '#server/modules/payments/check.ts';
import type { PaymentProvider } from '#server/modules/payments/provider.ts';
import type { Config } from '#server/platform/config.ts';
import { askValkey } from '#server/platform/limits/limit-store.ts';
import { createOutbound, type Outbound, OutboundError } from '#server/platform/outbound/outbound.ts';
import { variableOf } from '#server/platform/settings/scoped-settings.ts';
import { ill, type Look, well } from './look.ts';

const WAIT_MS = 5000;
/** Our choice: a certificate that renews itself does so a month before its end. */
const CERTIFICATE_DAYS = 14;

/** Asks each game that is sold and has an address for its servers, as a player would. */
export function lookAtGames(
  config: Config,
  configuration: Configuration,
  protocols: readonly GameProtocol[],
): Promise<Look[]> {
  const sold = new Set([...configuration.brands.values()].flatMap((brand) => brand.file.games));
  return Promise.all(
    [...configuration.games.values()].flatMap((game) => {
      const address = config.gameServer(game.id);
      const [clientId] = [
        ...Object.values(game.file.clients),
        ...(game.file.subGames ?? []).map((one) => one.clientId),
      ];
      const protocol = protocols.find(({ name }) => name === (game.file.protocol ?? 'standard'));
      return address && protocol && sold.has(game.id) && clientId
        ? [lookAtGame(config, protocol, game.id, clientId, address)]
        : [];
    }),
  );
}

async function lookAtGame(
  config: Config,
  protocol: GameProtocol,
  gameId: string,
  clientId: string,
  { url, secrets }: { url: string; secrets: readonly string[] },
): Promise<Look> {
  const name = `game ${gameId}`;
  const variable = (setting: string) => variableOf(`game-${gameId}`, config.environment, setting);
  const outbound = createOutbound({ allowedHosts: new Set([new URL(url).host]) });
  const begun = performance.now();
  try {
    const waiting: Outbound = (address, request) => outbound(address, { ...request, timeoutMs: WAIT_MS });
    const game = protocol.open({ baseUrl: url, secrets, outbound: waiting, now: Date.now });
    const { servers } = await game.listServers(clientId, '');
    const milliseconds = Math.round(performance.now() - begun);
    return well('games', name, `answered in ${milliseconds} ms with ${servers.length} servers`);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const isSecret = error.message.includes('401');
    const remedy = isSecret
      ? `compare ${variable('SECRETS')} with the game's secret, and both clocks`
      : `see that the game runs at ${variable('URL')}; \`refill game check ${gameId}\` tells what it answers`;
    return ill('games', 'fault', { name, reason: `cannot sell: ${error.message}`, remedy });
  } finally {
    await outbound.close();
  }
}

/** Looks at the Valkey that counts limits, where the database does not. */
export async function lookAtValkey({ valkeyUrl }: Config): Promise<Look[]> {
  if (!valkeyUrl) return [];
  const answer = await askValkey(valkeyUrl);
  if (typeof answer === 'number')
    return [well('limits', 'REDIS_URL', `leads to a Valkey that answered in ${answer} ms`)];
  const reason = `leads to no Valkey (${answer}): each process counts limits by itself meanwhile`;
  const remedy = 'start it, and see that REDIS_URL names it with the right password';
  return [ill('limits', 'warning', { name: 'REDIS_URL', reason, remedy })];
}

/** Each provider that has its credentials, by a harmless call. */
export function lookAtProviders(config: Config, providers: readonly PaymentProvider[]): Promise<Look[]> {
  const on = providers.filter((one) => findMissing(one, config.providerSettings(one.name)).length === 0);
  return Promise.all(on.map((provider) => lookAtProvider(config, provider)));
}

async function lookAtProvider(config: Config, provider: PaymentProvider): Promise<Look> {
  const { name } = provider;
  const opened: { close(): Promise<void> }[] = [];
  try {
    const { outcome, clockSeconds, isClockOff } = await checkProvider(provider, {
      environment: config.environment,
      settings: config.providerSettings(name),
      now: Date.now,
      open: (allowedHosts) => {
        const outbound = createOutbound({ allowedHosts });
        opened.push(outbound);
        return outbound;
      },
    });
    const remedy = `see \`refill provider check ${name}\``;
    if (isClockOff) {
      const reason = `has a clock ${clockSeconds} s away from ours (more than ${CLOCK_LIMIT_SECONDS} s)`;
      return ill('providers', 'fault', { name, reason, remedy: 'set this machine by NTP' });
    }
    if (outcome?.kind === 'refused')
      return ill('providers', 'fault', { name, reason: `refuses us: ${outcome.reason}`, remedy });
    if (outcome?.kind === 'unreachable')
      return ill('providers', 'fault', { name, reason: `cannot be reached: ${outcome.reason}`, remedy });
    const said =
      outcome?.kind === 'ok' ? `takes our credentials (${outcome.said})` : 'has no harmless call to be asked by';
    return well('providers', name, said);
  } finally {
    await Promise.all(opened.map((one) => one.close()));
  }
}

/** The hosts of the brands from outside: certificate, and whether the proxy tells us that it speaks TLS. */
export function lookAtHosts(hosts: readonly string[]): Promise<Look[]> {
  return Promise.all(hosts.map((host) => lookAtHost(host)));
}

async function lookAtHost(name: string): Promise<Look> {
  let days: number;
  try {
    days = await readCertificateDays(name);
  } catch (error) {
    const reason = `has no TLS that a browser would take: ${(error as Error).message}`;
    return ill('hosts', 'fault', {
      name,
      reason,
      remedy: 'point its name here and give the proxy a certificate for it',
    });
  }
  const outbound = createOutbound({ allowedHosts: new Set([name]) });
  try {
    const answer = await outbound(`https://${name}/healthz`, { method: 'GET', timeoutMs: WAIT_MS });
    const isAlive = answer.status === 200 && answer.text.includes('alive');
    if (!isAlive)
      return ill('hosts', 'fault', {
        name,
        reason: `answers ${answer.status}, and not as the shop`,
        remedy: 'see where the proxy leads, and that it hands the Host header on',
      });
    if (!answer.headers['strict-transport-security'])
      return ill('hosts', 'fault', {
        name,
        reason: 'is not told that it speaks TLS, so nobody can log in',
        remedy: 'let the proxy send X-Forwarded-Proto, and name its address in REFILL_TRUSTED_PROXIES',
      });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return ill('hosts', 'fault', {
      name,
      reason: `does not answer: ${error.message}`,
      remedy: 'see that proxy and shop run',
    });
  } finally {
    await outbound.close();
  }
  const said = `answers over TLS; its certificate is good for ${days} days`;
  if (days >= CERTIFICATE_DAYS) return well('hosts', name, said);
  return ill('hosts', 'warning', { name, reason: said, remedy: 'see why it is not renewed' });
}

/** Days until the certificate ends. @throws Error when none is shown that a browser would take */
async function readCertificateDays(host: string): Promise<number> {
  const socket = connect({ host, port: 443, servername: host, timeout: WAIT_MS });
  try {
    socket.once('timeout', () => socket.destroy(new Error(`no answer within ${WAIT_MS / 1000} s`)));
    await once(socket, 'secureConnect');
    return Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / DAY_MS);
  } finally {
    socket.destroy();
  }
}
