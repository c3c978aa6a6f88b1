// The moment at which a process listens no more, made so that no call is lost that a balancer has already sent.
import type { Server as HttpServer } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Our choice: a process that is met by a new connection in each of so many rounds of its loop closes all the same. */
const MAX_ROUNDS = 100;
/** Our choice: after so long without a call nothing that was accepted is unread, also by a processor that is busy. */
const QUIET_MS = 500;
/** Our choice: beside it a step under way has most of the 12 s that a stop may take. */
const MAX_LINGER_MS = 4000;

/** @param isAnnounced somebody else takes the calls from now on, so none may be lost; otherwise nobody waits */
export async function closeApp(app: FastifyInstance, isAnnounced: boolean): Promise<void> {
  if (isAnnounced) await stopListening(app.server);
  await app.close();
}

/**
 * Takes nothing new and hangs up on nobody, until it was quiet for a moment. The system resets connections that wait to
 * be accepted when their listener closes, and `close` of an HTTP server those whose first call was not read yet; a
 * proxy must not send a POST again that may have arrived. So it closes right after what waited was accepted, and reads
 * on.
 */
async function stopListening(server: HttpServer): Promise<void> {
  let isMet = false;
  const note = () => {
    isMet = true;
  };
  server.on('connection', note);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    isMet = false;
    // Ends after the loop has accepted what waited.
    await nextRound();
    if (!isMet) break;
  }
  server.off('connection', note);
  // Of the net server: that of the HTTP server would close idle connections as well.
  NetServer.prototype.close.call(server);
  let quietSince = performance.now();
  const wait = () => {
    quietSince = performance.now();
  };
  server.on('request', wait);
  const until = performance.now() + MAX_LINGER_MS;
  while (performance.now() < Math.min(quietSince + QUIET_MS, until)) await sleep(QUIET_MS / 10);
  server.off('request', wait);
}
