// Checks the surroundings of the process in live: Node's switches, the addresses it listens to and believes, the way to
// the database.
import type { Config } from '#server/platform/config.ts';
import type { Finding } from '#server/platform/settings/finding.ts';
import { locateCallbackRecord } from '#server/platform/record/locate-record.ts';
import { isLoopback, isOwnMachine } from './own-machine.ts';

/** @source Filesystem Hierarchy Standard 3.0, 3.15 and 3.18; systemd-tmpfiles cleans the first two */
const PASSING = ['/tmp', '/var/tmp', '/dev/shm', '/run', '/var/run'];

export function checkMachine(config: Config): Finding[] {
  if (config.tlsRejectUnauthorized !== '0') return [];
  return [
    {
      name: 'NODE_TLS_REJECT_UNAUTHORIZED',
      reason: 'is 0, so anybody on the way could speak for providers and games',
      remedy: 'unset it; a certificate authority of your own belongs into NODE_EXTRA_CA_CERTS',
    },
  ];
}

export function warnOfMachine(config: Config): Finding[] {
  const warnings: Finding[] = [];
  if (config.role !== 'worker' && config.trustedProxies.length === 0)
    warnings.push({
      name: 'REFILL_TRUSTED_PROXIES',
      reason: 'names no proxy, and without one in front that speaks TLS nobody can log in',
      remedy: 'name the address that it calls from, e.g. 127.0.0.1',
    });
  if (isDatabaseInClear(config.databaseUrl))
    warnings.push({
      name: 'DATABASE_URL',
      reason: 'leads to another machine without sslmode, so passwords and orders travel in clear',
      remedy: 'add ?sslmode=verify-full',
    });
  if (config.operatorPort > 0 && !isLoopback(config.operatorHost))
    warnings.push({
      name: 'REFILL_OPERATOR_HOST',
      reason: `opens health, metrics and the admin API beyond this machine, in plain http (${config.operatorHost})`,
      remedy: 'listen on 127.0.0.1, or let a private network alone reach the port, by TLS of a proxy',
    });
  const record = locateCallbackRecord(config);
  if (config.callbackRecordMb > 0 && PASSING.some((folder) => record.startsWith(`${folder}/`)))
    warnings.push({
      name: 'REFILL_CALLBACK_RECORD',
      reason: `lies in ${record}, which may be emptied when the machine starts again`,
      remedy: 'name a folder that stays',
    });
  return warnings;
}

function isDatabaseInClear(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, searchParams } = new URL(url);
  // A socket is named by a parameter, or its path stands encoded where a host would.
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  if (host.startsWith('/') || isOwnMachine(host)) return false;
  // pg takes `ssl=true` for the same. @source node-postgres.com, "SSL"
  const mode = searchParams.get('sslmode') ?? (searchParams.get('ssl') === 'true' ? 'require' : 'disable');
  return mode === 'disable';
}
