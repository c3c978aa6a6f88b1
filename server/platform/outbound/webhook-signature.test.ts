// Our signature beside that of the scheme's own package.
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { createWebhookSigner } from './webhook-signature.ts';

/**
 * @source https://github.com/standard-webhooks/standard-webhooks,
 * libraries/javascript/src/index.test.ts, "sign function works"
 */
const PUBLISHED = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  at: new Date(1614265330 * 1000),
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

test('the published message has the published signature', () => {
  const { secret, id, at, body, signature } = PUBLISHED;
  expect(createWebhookSigner(secret)(id, at, body)).toBe(signature);
});

test.each(['', '{}', 'Größe 日本 🐉', 'x'.repeat(5000)])('signs %j as the package does', (body) => {
  const secret = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`;
  const at = new Date();
  expect(createWebhookSigner(secret)('msg_1', at, body)).toBe(new Webhook(secret).sign('msg_1', at, body));
});

test.each(['', 'whsec_', 'whsec_not base64!'])('refuses the secret %j', (secret) => {
  expect(() => createWebhookSigner(secret)).toThrow(Error);
});
