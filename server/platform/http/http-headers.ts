// Sets the headers of every answer.
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Whatever an answer has not said differently. @source OWASP ASVS 5.0, 3.4.1 to 3.4.6 and 14.3.2 */
export const PLAIN_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self)',
};

const PLAIN = Object.entries(PLAIN_HEADERS);

export function setHeaders(request: FastifyRequest, reply: FastifyReply): void {
  // On a plain-http demo it would be a lie.
  if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
  for (const [name, value] of PLAIN) if (!reply.hasHeader(name)) reply.header(name, value);
}
