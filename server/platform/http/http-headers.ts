// What every answer says about itself.
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Whatever an answer has not said differently. @source OWASP ASVS 5.0, 3.4.1 to 3.4.6 and 14.3.2 */
export function setHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-content-type-options', 'nosniff');
  // On a plain-http demo it would be a lie.
  if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  if (!reply.hasHeader('content-security-policy'))
    reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  if (!reply.hasHeader('referrer-policy')) reply.header('referrer-policy', 'no-referrer');
  if (!reply.hasHeader('cross-origin-resource-policy')) reply.header('cross-origin-resource-policy', 'same-origin');
  if (!reply.hasHeader('permissions-policy'))
    reply.header('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(self)');
}
