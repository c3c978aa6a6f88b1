// Finds out before the long steps whether the ports are free, so that a busy one costs a second and not a build.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { StartFault } from './start-postgres.ts';

// A port may be taken on one address only, and systems differ in whether a wildcard notices.
const hosts = ['127.0.0.1', '::1', '0.0.0.0', '::'];

/** @param text the variable PORT @throws StartFault when it is no port number */
export function readPort(text: string | undefined): number {
  const port = Number(text ?? '8080');
  if (/^\d*$/.test(text ?? '') && port >= 1 && port <= 65_535) return port;
  throw new StartFault(`PORT must be a number from 1 to 65535, not "${text}".`);
}

/** @throws StartFault with one sentence that names the port and a free one */
export async function requireFreePort(port: number): Promise<void> {
  const fault = await probePort(port);
  if (fault === undefined) return;
  const other = await findFreePort(port < 1024 ? 8080 : port + 1);
  const why = fault === 'EACCES' ? `Port ${port} may not be opened by this user` : `Port ${port} is already in use`;
  const what = fault === 'EACCES' ? 'choose another one' : 'stop what listens there, or choose another one';
  throw new StartFault(`${why}: ${what}, for instance PORT=${other} npm start`);
}

/** The first free port from `from` upwards. */
export async function findFreePort(from: number): Promise<number> {
  for (let port = from; port <= 65_535; port += 1) {
    if ((await probePort(port)) === undefined) return port;
  }
  throw new StartFault(`There is no free port from ${from} upwards.`);
}

/**
 * A free port for a test or a bench. Below those that systems give to outgoing connections (Linux: 32,768 upwards), so
 * that it is still free when its server comes back; random, so that two runs do not race for the same one.
 */
export function findQuietPort(): Promise<number> {
  return findFreePort(randomInt(20_000, 32_000));
}

async function probePort(port: number): Promise<string | undefined> {
  for (const host of hosts) {
    const code = await tryListen(port, host);
    // A machine without IPv6 is no obstacle.
    if (code === 'EADDRINUSE' || code === 'EACCES') return code;
  }
  return undefined;
}

function tryListen(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    probe.listen({ port, host, ipv6Only: host === '::' }, () => probe.close(() => resolve(undefined)));
  });
}
