// Test 47: what a message that nobody has proven makes the shop fetch.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT, generateKeyPair } from 'jose';
import { paymentProviders } from '#server/providers/payments/registry.ts';
import { pay, showRoles } from '#testing/pay.ts';
import type { TestShop } from '#testing/shop.ts';
import type { SecurityTest } from './security-test.ts';

/** More than open a circuit breaker. */
const FORGED = 40;
const PATH = '/v1/notifications/certs';

const named: SecurityTest = {
  number: '47',
  asvs: '13.1.3, 15.2.2',
  about:
    'forged notices that name certificates, at a host that answers 429: payments and logins go on, few calls are made',
  run: async ({ harness, defer, refused, allowed, holds }) => {
    const called: string[] = [];
    const host = createServer(({ url }, response) => {
      called.push(String(url));
      response.writeHead(429).end();
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    defer(async () => host.close());
    const at = `127.0.0.1:${(host.address() as AddressInfo).port}`;
    const simulators = await harness.simulators();
    const shop = await harness.makeShop({
      environment: {
        ...simulators.environment,
        REFILL_PAYPAL_DEMO_CERT_HOSTS: at,
        REFILL_LOGIN_APPLE_DEMO_JWKS_URL: `http://${at}/jwks`,
      },
      providers: paymentProviders,
    });
    defer(() => shop.close());
    allowed('a payment before', await pays(shop));

    const notify = (url: string, remoteAddress: string) =>
      shop.post(
        '/callback/paypal',
        { id: 'WH-FORGED' },
        {
          remoteAddress,
          headers: {
            'paypal-transmission-id': 'T-1',
            'paypal-transmission-time': '2026-01-02T03:04:00Z',
            'paypal-transmission-sig': 'AAAA',
            'paypal-cert-url': url,
            'paypal-auth-algo': 'SHA256withRSA',
          },
        },
      );
    for (const [what, url] of [
      ['a query', `http://${at}${PATH}/CERT-1?x=1`],
      ['an empty query', `http://${at}${PATH}/CERT-1?`],
      ['a fragment', `http://${at}${PATH}/CERT-1#x`],
      ['another spelling', `HTTP://${at}${PATH}/x/../CERT-1`],
    ] as const)
      refused(`a certificate address with ${what}`, (await notify(url, '198.51.100.1')).status === 401);
    holds('nothing was fetched for them', called.length === 0, called);

    for (let n = 0; n < FORGED; n += 1) await notify(`http://${at}${PATH}/CERT-${n}`, '198.51.100.2');
    holds('few calls for one sender', called.length <= 5, called.length);
    for (let n = 0; n < FORGED; n += 1) await notify(`http://${at}${PATH}/OTHER-${n}`, `203.0.113.${n}`);
    holds('few calls for many senders', called.length <= 20, called.length);
    allowed('a payment afterwards', await pays(shop));

    const { privateKey } = await generateKeyPair('RS256');
    const notice = await new SignJWT({ events: '{}' })
      .setProtectedHeader({ alg: 'RS256', kid: 'forged' })
      .setIssuer(simulators.environment['REFILL_LOGIN_APPLE_DEMO_ISSUER'] ?? 'https://appleid.apple.com')
      .setAudience('app')
      .setJti('j')
      .setIssuedAt()
      .sign(privateKey);
    const before = called.length;
    for (let n = 0; n < FORGED; n += 1) {
      const answer = await shop.post('/util/login/notice/ios', JSON.stringify({ payload: notice }));
      refused('a forged notice of Apple', answer.status === 401 || answer.status === 503, answer.text);
    }
    holds(
      'keys are asked for, and left alone after a while',
      called.length > before && called.length - before < 25,
      called,
    );
    const opened = shop.logLines.flatMap((line) => /"circuit":"open".*calls to ([^:"]+)/.exec(line)?.[1] ?? []);
    holds(
      'only circuit breakers of unproven messages have opened',
      opened.includes('login apple keys') && opened.every((name) => /( notices| keys)$/.test(name)),
      opened,
    );
  },
};

async function pays(shop: TestShop): Promise<boolean> {
  const player = await shop.logIn();
  await showRoles(shop, player);
  return (await pay(shop, player)).code === 1;
}

export const CERTIFICATE_TESTS: readonly SecurityTest[] = [named];
