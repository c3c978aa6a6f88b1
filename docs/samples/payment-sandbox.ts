// The sandbox of the invented Acme Pay, so that payment-module.ts can be tried: its API, its pay page, its callbacks.
// Copy it to modules/acme-sandbox.ts of your shop, then: npx refill-run modules/acme-sandbox.ts
// A real provider has a sandbox of its own; nobody needs this file then.
import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

const PORT = Number(process.env['PORT'] ?? 9500);
const KEY = process.env['ACME_KEY'] ?? 'try-out';
const ORIGIN = `http://127.0.0.1:${PORT}`;

type Payment = { id: string; order: string; state: 'open' | 'paid' | 'dead' | 'back'; cents: number; currency: string };
type Kept = { readonly payment: Payment; readonly back: string; readonly notify: string };

const byOrder = new Map<string, Kept>();
const byId = new Map<string, Kept>();

async function readBody(call: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of call) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

function answer(reply: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  const isPage = typeof body === 'string';
  const type = isPage ? 'text/html; charset=utf-8' : 'application/json';
  reply.writeHead(status, { 'content-type': type, ...headers }).end(isPage ? body : JSON.stringify(body));
}

/** Signed over the exact bytes. Names under .localhost are this machine, which not every resolver knows. */
function tell({ payment, notify }: Kept): void {
  const url = new URL(notify);
  const body = JSON.stringify(payment);
  const signature = createHmac('sha256', KEY).update(body).digest('hex');
  const call = request({
    host: url.hostname.endsWith('localhost') ? '127.0.0.1' : url.hostname,
    port: url.port,
    path: url.pathname,
    method: 'POST',
    headers: { host: url.host, 'content-type': 'application/json', 'acme-signature': signature },
  });
  call.on('response', (response) =>
    console.log(`${payment.order} ${payment.state}: the shop answers ${response.statusCode}`),
  );
  call.on('error', (error) => console.log(`${payment.order} ${payment.state}: ${error.message}`));
  call.end(body);
}

/** The same order asked for again is the same payment. */
function create(body: string): Kept {
  const { back, notify, ...asked } = JSON.parse(body) as Payment & { back: string; notify: string };
  const known = byOrder.get(asked.order);
  if (known) return known;
  const { cents, currency, order } = asked;
  const payment: Payment = { id: randomBytes(6).toString('hex'), order, state: 'open', cents, currency };
  const kept: Kept = { payment, back, notify };
  byOrder.set(order, kept);
  byId.set(kept.payment.id, kept);
  return kept;
}

const pageOf = ({ cents, currency, id }: Payment): string =>
  `<!doctype html><title>Acme Pay</title><h1>Acme Pay, sandbox</h1><p>${(cents / 100).toFixed(2)} ${currency}</p>
<form method="post" action="/pay/${id}"><button name="state" value="paid">Pay</button>
<button name="state" value="dead">Decline</button></form>`;

const server = createServer(async (call, reply) => {
  const [, part = '', id = '', order = ''] = (call.url ?? '').split('/');
  if (part === 'pay') {
    const kept = byId.get(id);
    if (!kept) return answer(reply, 404, 'No such payment.');
    if (call.method !== 'POST') return answer(reply, 200, pageOf(kept.payment));
    if (kept.payment.state === 'open') {
      kept.payment.state = new URLSearchParams(await readBody(call)).get('state') === 'paid' ? 'paid' : 'dead';
      tell(kept);
    }
    return answer(reply, 303, '', { location: kept.back });
  }
  if (call.headers.authorization !== `Bearer ${KEY}`) return answer(reply, 401, { error: 'key' });
  if (part === 'account') return answer(reply, 200, { name: 'sandbox' });
  if (order === 'refunds') {
    const paid = byId.get(id)?.payment;
    if (paid?.state !== 'paid' && paid?.state !== 'back') return answer(reply, 404, { error: 'no such payment' });
    paid.state = 'back';
    // One refund a payment, so the payment names it.
    return answer(reply, 201, { id: `back-${id}` });
  }
  if (call.method === 'POST') {
    const { payment } = create(await readBody(call));
    return answer(reply, 201, { id: payment.id, page: `${ORIGIN}/pay/${payment.id}` });
  }
  const kept = id === 'by-order' ? byOrder.get(order) : undefined;
  return kept ? answer(reply, 200, kept.payment) : answer(reply, 404, { error: 'no such payment' });
});

server.listen(PORT, '127.0.0.1', () => console.log(`Acme Pay listens on ${ORIGIN}`));
