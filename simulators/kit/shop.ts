// Finds the address at which the shop listens for callbacks, and reaches it on one machine.

import { Agent, request } from 'undici';

/** For providers that do not simply post to the one address. */
export type CallbackWay = {
  /** GET has no body: what is told stands in `suffix`. POST unless said. */
  method?: 'GET' | 'POST';
  /** Follows `/callback/<provider>`: "/refund", "?TxnId=1". */
  suffix?: string;
};

export type Shop = {
  /** Posts to `/callback/<provider>`; resolves with the status and the text, rejects when nobody answers. */
  post(
    provider: string,
    body: string,
    headers: Record<string, string>,
    how?: CallbackWay,
  ): Promise<{ status: number; text: string }>;
  close(): Promise<void>;
};

/** Games know these of the shop as well. */
export type ShopOfGames = Shop & {
  /** A call of a game's server, at the host of a brand's demo shop. */
  call(
    host: string,
    path: string,
    body: string,
    headers: Record<string, string>,
  ): Promise<{ status: number; text: string }>;
  /** `http://watt.demo.localhost:8080`, as a browser of this machine reaches the shop of a brand. */
  originOf(brand: string): string;
};

/** Providers give up on a slow receiver after about this long. @source docs.adyen.com, handle webhook events: 10 s */
const answerWithinMs = 10_000;

/**
 * `shopUrl` may be an address (`http://127.0.0.1:8080`): then callbacks carry the host of the demo brand, because
 * the shop finds its brand there.
 * Names under `.localhost` are this machine by RFC 6761, but not every resolver knows it: the connection goes to
 * 127.0.0.1 and the name stays in Host.
 */
export function createShop(shopUrl: string): ShopOfGames {
  const { origin, host } = addressOf(shopUrl);
  const agent = new Agent({
    connections: 64,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    headersTimeout: answerWithinMs,
    bodyTimeout: answerWithinMs,
    connect: { timeout: 3_000 },
  });
  return {
    async post(provider, body, headers, { method = 'POST', suffix = '' } = {}) {
      const response = await request(`${origin}/callback/${provider}${suffix}`, {
        dispatcher: agent,
        method,
        ...(method === 'GET'
          ? { headers: { host, ...headers } }
          : { headers: { host, 'content-type': 'application/json', ...headers }, body }),
      });
      return { status: response.statusCode, text: await response.body.text() };
    },
    async call(callHost, path, body, headers) {
      const response = await request(`${origin}${path}`, {
        dispatcher: agent,
        method: 'POST',
        headers: { host: callHost, 'content-type': 'application/json', ...headers },
        body,
      });
      return { status: response.statusCode, text: await response.body.text() };
    },
    originOf: (brand) => `http://${brand.toLowerCase()}.demo.localhost${portOf(origin)}`,
    close: () => agent.destroy(),
  };
}

/** The origin to connect to and the Host header to send. */
export function addressOf(shopUrl: string): { origin: string; host: string } {
  const url = new URL(shopUrl);
  const port = url.port ? `:${url.port}` : '';
  const isNumeric = /^[\d.]+$/.test(url.hostname) || url.hostname.startsWith('[');
  if (isNumeric || url.hostname === 'localhost') {
    const address = url.hostname === 'localhost' ? '127.0.0.1' : url.hostname;
    return { origin: `${url.protocol}//${address}${port}`, host: `product.demo.localhost${port}` };
  }
  if (url.hostname.endsWith('.localhost')) return { origin: `${url.protocol}//127.0.0.1${port}`, host: url.host };
  return { origin: url.origin, host: url.host };
}

const portOf = (origin: string): string => (new URL(origin).port ? `:${new URL(origin).port}` : '');
