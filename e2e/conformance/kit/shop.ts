// The shop as providers see it: addresses for callbacks and for the way back. It believes what the
// adapters read and keeps all of it.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  CallbackAnswer,
  CallbackReading,
  KnownPayment,
  PaymentProvider,
  ProviderContext,
  RawCallback,
} from '#testing/providers.ts';

/** A callback that came, what the adapter made of it and what we answered. */
export type ReceivedCallback = {
  readonly name: string;
  readonly raw: RawCallback;
  readonly reading: CallbackReading;
  readonly answer: CallbackAnswer;
};

/** A payment under way, as the shop keeps it. */
export type ShopPayment = { known: KnownPayment; returns: number };

export type Shop = {
  readonly url: string;
  readonly received: ReceivedCallback[];
  /** By the last part of the return address. */
  readonly payments: Map<string, ShopPayment>;
  /** Faults of the adapters themselves, by provider: a verb that threw where it must not. */
  readonly failures: Map<string, Error[]>;
  close(): Promise<void>;
};

type Finder = (name: string) => { provider: PaymentProvider; context: ProviderContext };

/**
 * `/callback/<provider>[/<topic>]`, `/return/<provider>/<payment>` and
 * `/cancel/<provider>/<payment>`, on a free port of loopback.
 */
export async function startShop(find: Finder): Promise<Shop> {
  const received: ReceivedCallback[] = [];
  const payments = new Map<string, ShopPayment>();
  const failures = new Map<string, Error[]>();

  async function answerRequest(request: IncomingMessage): Promise<CallbackAnswer> {
    const raw = await readRaw(request);
    const [, kind = '', name = '', rest = ''] = raw.path.split('/');
    const { provider, context } = find(name);
    if (kind === 'callback') return receive(name, { ...raw, topic: rest });
    const payment = payments.get(rest);
    if (!payment) return { status: 404, contentType: 'text/plain', body: 'no such payment' };
    payment.returns += 1;
    if (kind !== 'return') return { status: 200, contentType: 'text/html', body: '<p>Called off</p>' };
    const reading = provider.readReturn?.(context, raw, payment.known);
    if (reading?.approval) payment.known = { ...payment.known, approval: reading.approval };
    return reading?.answer ?? { status: 200, contentType: 'text/html', body: '<p>Back in the shop</p>' };
  }

  async function receive(name: string, raw: RawCallback): Promise<CallbackAnswer> {
    const { provider, context } = find(name);
    const reading = await provider.readCallback(context, raw);
    const answer = answerTo(reading);
    received.push({ name, raw, reading, answer });
    return answer;
  }

  const server: Server = createServer((request, response) => {
    answerRequest(request).then(
      (answer) => send(response, answer),
      (error: Error) => {
        const name = request.url?.split('/')[2] ?? '';
        failures.set(name, [...(failures.get(name) ?? []), error]);
        send(response, { status: 500, contentType: 'text/plain', body: error.message });
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    payments,
    failures,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answerTo(reading: CallbackReading): CallbackAnswer {
  if (reading.kind === 'unavailable') return { status: 503, contentType: 'text/plain', body: '' };
  if (reading.kind === 'question') return reading.yes;
  return reading.kind === 'statement' ? reading.answer([]) : reading.answer;
}

function send(response: ServerResponse, { status, contentType, body }: CallbackAnswer): void {
  response.writeHead(status, { 'content-type': contentType }).end(body);
}

async function readRaw(request: IncomingMessage): Promise<RawCallback> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '', 'http://shop');
  return {
    method: request.method ?? '',
    path: url.pathname,
    topic: '',
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    query: Object.fromEntries(url.searchParams),
    body: Buffer.concat(chunks),
    ip: '127.0.0.1',
  };
}
