// Xsolla's webhook signature: SHA-1 over the body with the project's secret behind it. A plain hash, not an HMAC.

import { createHash } from 'node:crypto';

/** 40 lower-case hex digits over the exact body text. @source github.com/xsolla/xsolla-sdk-php, WebhookAuthenticator */
export function signBody(body: string, projectSecret: string): string {
  return createHash('sha1').update(body).update(projectSecret).digest('hex');
}
