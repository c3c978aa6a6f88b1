// A TCP proxy on loopback that can behave like a bad network: pass, refuse, cut, hold (half-open), be
// slow, cut an answer at byte N.
// It knows nothing of what passes through it.
import { once } from 'node:events';
import { type Server, type Socket, connect, createServer } from 'node:net';
import type { Defer } from '#bench/kit/cleanup.ts';

export type LinkFault =
  | { readonly kind: 'pass' }
  /** Connections are closed as soon as they are made; those there are stay. */
  | { readonly kind: 'refuse' }
  /** Those there are break, and no new ones come about. */
  | { readonly kind: 'cut' }
  /**
   * Accepted, but nothing passes in either direction, nor does the news of a closed end, until it heals: a partition.
   */
  | { readonly kind: 'half-open' }
  | { readonly kind: 'latency'; readonly ms: number }
  /** The next `times` new connections break when `bytes` of the answer have passed. */
  | { readonly kind: 'cut-answer'; readonly bytes: number; readonly times: number };

export type Proxy = {
  readonly port: number;
  /** Takes effect on connections that are there, too. */
  setFault(fault: LinkFault): void;
  /** Breaks every connection there is; new ones are welcome. */
  breakAll(): void;
  /** Connections to the other side now, and the most there have been since the last call of `resetPeak`. */
  open(): number;
  peak(): number;
  resetPeak(): void;
  /** Bytes of answers that have passed. */
  answered(): number;
};

type Link = { readonly client: Socket; upstream: Socket | null; budget: number; isBroken: boolean };

/**
 * Listens on a free port of 127.0.0.1.
 * @param targets ports to connect to: asked anew and taken in turn for each connection; one that refuses is passed over
 */
export async function startProxy(defer: Defer, targets: () => readonly number[]): Promise<Proxy> {
  const links = new Set<Link>();
  let fault: LinkFault = { kind: 'pass' };
  let cutsLeft = 0;
  let turn = 0;
  let peak = 0;
  let answered = 0;

  const upstreams = () => [...links].filter((link) => link.upstream !== null && !link.isBroken).length;

  function breakLink(link: Link): void {
    link.isBroken = true;
    links.delete(link);
    link.client.destroy();
    link.upstream?.destroy();
  }

  /** One end has gone: the other still gets what was under way. */
  function endLink(link: Link): void {
    if (link.isBroken) return;
    link.isBroken = true;
    links.delete(link);
    link.client.destroySoon();
    link.upstream?.destroySoon();
  }

  function take(client: Socket): void {
    client.setNoDelay(true);
    if (fault.kind === 'refuse' || fault.kind === 'cut') {
      client.on('error', () => undefined);
      client.resetAndDestroy();
      return;
    }
    const link: Link = { client, upstream: null, budget: Infinity, isBroken: false };
    if (fault.kind === 'cut-answer' && cutsLeft > 0) {
      cutsLeft -= 1;
      link.budget = fault.bytes;
    }
    links.add(link);
    client.pause();
    watchEnd(link, client);
    if (fault.kind !== 'half-open') reach(link);
  }

  /** @param first whose turn it was; others may come in between, and yet each target is tried once */
  function reach(link: Link, first = turn++, tried = 0): void {
    const ports = targets();
    const port = ports[(first + tried) % Math.max(1, ports.length)];
    if (port === undefined || tried >= ports.length) return breakLink(link);
    const upstream = connect({ host: '127.0.0.1', port, noDelay: true });
    upstream.once('error', () => {
      if (link.upstream === null && !link.isBroken) reach(link, first, tried + 1);
    });
    upstream.once('connect', () => {
      if (link.isBroken) return void upstream.destroy();
      link.upstream = upstream;
      peak = Math.max(peak, upstreams());
      watchEnd(link, upstream);
      relay(link, link.client, upstream, false);
      relay(link, upstream, link.client, true);
      if (fault.kind === 'half-open') hold(link);
      else link.client.resume();
    });
  }

  function relay(link: Link, from: Socket, to: Socket, isAnswer: boolean): void {
    from.on('data', (chunk: Buffer) => {
      if (link.isBroken) return;
      if (!isAnswer) return send(link, from, to, chunk);
      const passing = chunk.subarray(0, link.budget);
      link.budget -= passing.length;
      answered += passing.length;
      if (link.budget > 0) return send(link, from, to, passing);
      if (passing.length === 0) return breakLink(link);
      to.write(passing, () => breakLink(link));
    });
  }

  function send(link: Link, from: Socket, to: Socket, chunk: Buffer): void {
    if (fault.kind === 'latency') {
      // Timers of one length fire in the order they were set, so bytes do not overtake each other.
      setTimeout(() => void (link.isBroken || to.write(chunk)), fault.ms);
      return;
    }
    if (to.write(chunk)) return;
    from.pause();
    to.once('drain', () => void (fault.kind === 'half-open' || from.resume()));
  }

  function watchEnd(link: Link, socket: Socket): void {
    socket.on('error', () => undefined);
    // In a partition the other end does not learn of it.
    socket.on('close', () => void (fault.kind === 'half-open' || setTimeout(() => endLink(link), slowness())));
  }

  const slowness = () => (fault.kind === 'latency' ? fault.ms : 0);

  function hold(link: Link): void {
    link.client.pause();
    link.upstream?.pause();
  }

  function release(link: Link): void {
    if (link.client.destroyed || link.upstream?.destroyed) return breakLink(link);
    if (link.upstream === null) return reach(link);
    link.client.resume();
    link.upstream.resume();
  }

  const server: Server = createServer(take).listen(0, '127.0.0.1');
  await once(server, 'listening');
  defer(async () => {
    server.close();
    for (const link of links) breakLink(link);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    setFault: (next) => {
      const wasHeld = fault.kind === 'half-open';
      fault = next;
      cutsLeft = next.kind === 'cut-answer' ? next.times : 0;
      if (next.kind === 'half-open') links.forEach(hold);
      else if (next.kind === 'cut') links.forEach(breakLink);
      else if (wasHeld) links.forEach(release);
    },
    breakAll: () => links.forEach(breakLink),
    open: upstreams,
    peak: () => peak,
    resetPeak: () => void (peak = upstreams()),
    answered: () => answered,
  };
}
