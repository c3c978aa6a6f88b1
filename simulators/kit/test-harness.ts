// Provides the simulators' own tests with a shop that only records its callbacks, and a manual clock.

import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from './clock.ts';

export type Received = { method: string; path: string; headers: IncomingHttpHeaders; body: string };

export type RecordingShop = {
  url: string;
  received: Received[];
  /** Decides the status; 200 unless replaced. */
  answer: (received: Received) => number;
  /** Returns the body of its answer; empty unless replaced. */
  say: (received: Received) => string;
  close(): Promise<void>;
};

/** A shop on a free loopback port. */
export async function startRecordingShop(): Promise<RecordingShop> {
  const shop: RecordingShop = { url: '', received: [], answer: () => 200, say: () => '', close: async () => {} };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const received = { method, path, headers, body: Buffer.concat(chunks).toString() };
      shop.received.push(received);
      response.writeHead(shop.answer(received)).end(shop.say(received));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  shop.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  shop.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return shop;
}

export type ManualClock = Clock & {
  /** Moves time on and runs what has become due, in order. */
  advance(ms: number): void;
};

/** A clock that stands still until `advance`. */
export function createManualClock(startMs = Date.now()): ManualClock {
  let nowMs = startMs;
  let timers: { dueAt: number; run: () => void }[] = [];
  return {
    now: () => nowMs,
    after(delayMs, run) {
      const timer = { dueAt: nowMs + delayMs, run };
      timers.push(timer);
      return () => void (timers = timers.filter((other) => other !== timer));
    },
    advance(ms) {
      const endMs = nowMs + ms;
      for (;;) {
        const next = timers
          .filter((timer) => timer.dueAt <= endMs)
          .toSorted((one, other) => one.dueAt - other.dueAt)[0];
        if (!next) break;
        timers = timers.filter((timer) => timer !== next);
        nowMs = next.dueAt;
        next.run();
      }
      nowMs = endMs;
    },
  };
}

export function newDataFolder(): string {
  return mkdtempSync(join(tmpdir(), 'refill-simulators-'));
}

/** Free-form JSON, read by tests that assert what they find. */
// oxlint-disable-next-line typescript/no-explicit-any -- a test names the fields it expects and fails on others
export type Answered = any;

export type JsonAnswer = { status: number; body: Answered; headers: Headers };

/** One JSON call; redirects are not followed. */
export async function callJson(
  url: string,
  input: { method?: string; headers?: Record<string, string>; body?: unknown } = {},
): Promise<JsonAnswer> {
  const isText = typeof input.body === 'string';
  const response = await fetch(url, {
    method: input.method ?? (input.body === undefined ? 'GET' : 'POST'),
    redirect: 'manual',
    headers: { ...(input.body === undefined ? {} : { 'content-type': 'application/json' }), ...input.headers },
    ...(input.body === undefined ? {} : { body: isText ? (input.body as string) : JSON.stringify(input.body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** Presses a button of a hosted page. */
export async function pressButton(url: string, fields: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) });
}

/** Waits until `read` gives something truthy; fails after 3 s. */
export async function eventually<T>(read: () => T | Promise<T>): Promise<Exclude<T, false | null | undefined>> {
  const until = Date.now() + 3_000;
  for (;;) {
    const value = await read();
    if (value) return value as Exclude<T, false | null | undefined>;
    if (Date.now() > until) throw new Error('what was waited for did not come within 3 s');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
