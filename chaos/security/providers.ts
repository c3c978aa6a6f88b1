// Test 40: providers that lead elsewhere, answer nonsense or do not answer.
import { CODES } from '#contracts/errors.ts';
import type { CreateOutcome } from '#server/modules/payments/provider.ts';
import { FAKE_PAY_HOST } from '#testing/fake-payments.ts';
import { orderInfo, pay, showRoles, stateOf } from '#testing/pay.ts';
import type { TestShop } from '#testing/shop.ts';
import { paymentProviders } from '#server/providers/payments/registry.ts';
import type { SecurityTest } from './security-test.ts';

const LINKS = [
  'javascript:alert(document.domain)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  `http://${FAKE_PAY_HOST}/pay`,
  'https://evil.example/pay',
  `https://${FAKE_PAY_HOST}.evil.example/pay`,
  `https://${FAKE_PAY_HOST}@evil.example/pay`,
  `https://evil.example/?${FAKE_PAY_HOST}`,
  '//evil.example/pay',
  '/\\evil.example',
  `https://${FAKE_PAY_HOST}:8443/pay`,
  'about:blank',
  'intent://pay#Intent;scheme=evil;end',
  '',
];

const pays = async (shop: TestShop, options: Parameters<typeof pay>[2]) => {
  const player = await shop.logIn();
  await showRoles(shop, player);
  return { player, answer: await pay(shop, player, options) };
};

const badProviders: SecurityTest = {
  number: '40',
  asvs: '3.7.2, 16.5.1',
  about: 'pay links to scripts, plain http and foreign hosts; HTML, 500, resets and silence instead of an answer',
  run: async ({ harness, defer, refused, allowed, holds, times }) => {
    const shop = await harness.shop();
    try {
      for (const url of LINKS) {
        shop.paypal.script.create = ({ reference }): CreateOutcome => ({
          kind: 'redirect',
          url,
          providerRef: `P-${reference}`,
        });
        const { answer } = await pays(shop, {});
        refused(
          `a link to ${url}`,
          answer.code === CODES.invalidLink.code && !answer.text.includes('evil') && !answer.text.includes('script:'),
          answer.text,
        );
        holds('with the words for it', answer.msg.startsWith('The link is invalid'), answer.msg);
      }
    } finally {
      shop.paypal.reset();
    }
    allowed('a link to the provider', (await pays(shop, {})).answer.code === 1);

    // A real adapter and its simulator, over real HTTP.
    const simulators = await harness.simulators();
    const real = await harness.makeShop({ environment: simulators.environment, providers: paymentProviders });
    defer(() => real.close());
    const adyen = { path: '/api/pay/adyen_pay', body: { channel_id: 'scheme' } };
    const before = await pays(real, adyen);
    allowed('the simulator when it is well', before.answer.code === 1, before.answer.text);
    const faults = ['html', 'error500', 'empty', 'reset', ...(times({ short: 0, full: 1 }) ? ['timeout', 'hang'] : [])];
    for (const fault of faults) {
      await fetch(`${simulators.url}/control/adyen/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ on: 'create', fault, times: 1 }),
      });
      const began = performance.now();
      const { player, answer } = await pays(real, adyen);
      const took = performance.now() - began;
      holds(`${fault}: an answer, 10 s and what a busy machine adds`, took < 15_000, took);
      refused(
        `${fault}: no stack, no provider’s words`,
        answer.status < 600 && !/\bat .*\.ts|node_modules|Error|<html|doctype|stack|127\.0\.0\.1/i.test(answer.text),
        answer.text,
      );
      const { rows } = await real.db.query<{ billing_no: string }>(
        'select billing_no from orders where player_id = $1',
        [player.playerId],
      );
      const billingNo = rows[0]?.billing_no ?? '';
      const { state, delivery } = await stateOf(real, billingNo);
      // A call that was surely not carried out fails at once; one that may have been stays Pending.
      holds(`${fault}: nothing is delivered`, ['created', 'pending', 'failed'].includes(state) && delivery === null, [
        state,
        delivery,
      ]);
      const shown = await orderInfo(real, { player, billingNo }, 'simple=1');
      const isDoubtful = fault !== 'hang' && fault !== 'reset' && fault !== 'error500';
      holds(
        `${fault}: shown as Pending`,
        shown.content.status === -1 || (!isDoubtful && shown.content.status === -2),
        shown.text,
      );
    }
    await fetch(`${simulators.url}/control/adyen/faults`, { method: 'DELETE' });
    allowed('afterwards', (await pays(real, adyen)).answer.code === 1);
  },
};

export const PROVIDER_TESTS: readonly SecurityTest[] = [badProviders];
