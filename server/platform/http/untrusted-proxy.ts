// A proxy that nobody named: it says that the browser spoke TLS, and is not believed. Then every login is refused,
// and only the log can tell why.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log } from '#server/platform/log.ts';
import { matchProxies } from '#server/platform/settings/proxies.ts';

/** Told once in a process: a stranger may send the header as well, and must not fill the log with it. */
export function noteUntrustedProxies(app: FastifyInstance, log: Log, trustedProxies: readonly string[]): void {
  const isTrusted = matchProxies(trustedProxies);
  let hasSaidSo = false;
  app.addHook('onRequest', (request, _reply, done) => {
    tell(request);
    done();
  });
  const tell = (request: FastifyRequest): void => {
    if (hasSaidSo || request.raw.headers['x-forwarded-proto'] === undefined) return;
    const address = request.raw.socket.remoteAddress;
    if (isTrusted(address)) return;
    hasSaidSo = true;
    log.warn(
      { address, setting: 'REFILL_TRUSTED_PROXIES' },
      'X-Forwarded-Proto from an address that is no proxy of ours is not believed: if it is your proxy, name the ' +
        'address in REFILL_TRUSTED_PROXIES, or every login through it is refused (403)',
    );
  };
}
