// Takes reports of browsers about pages that were going to break their policy: noted for the operator, never believed.
import type { FastifyInstance } from 'fastify';
import { type HttpDeps, siteOfRequest } from '#server/platform/http/http.ts';
import { noteSecurity } from '../platform/security-log.ts';
import { plainAddress } from '#server/platform/http/plain-address.ts';

export const CSP_REPORT_PATH = '/csp-reports';

const BODY_LIMIT = 16 * 1024;

/** Both forms: of report-uri, and of the Reporting API. @source W3C CSP level 3, 5.5; W3C Reporting API, 3.1 */
type Sent = {
  'csp-report'?: Record<string, unknown>;
  readonly body?: Record<string, unknown>;
};

export function mountCspReports(app: FastifyInstance, deps: HttpDeps): void {
  app.register(async (outside) => {
    outside.removeAllContentTypeParsers();
    for (const type of ['application/csp-report', 'application/reports+json', 'application/json'])
      outside.addContentTypeParser(type, { parseAs: 'string', bodyLimit: BODY_LIMIT }, (_request, text, done) =>
        done(null, String(text)),
      );
    outside.post(CSP_REPORT_PATH, { schema: { hide: true } as never }, async (request, reply) => {
      const site = siteOfRequest(deps, request);
      if (!site) return reply.callNotFound();
      for (const directive of readDirectives(String(request.body)))
        noteSecurity(deps.log, 'csp_violation', { brand: site.brandKey, ip: plainAddress(request), directive });
      return reply.code(204).send();
    });
  });
}

/** Names of directives alone: addresses in a report may hold tokens, and all of it is a stranger's text. */
function readDirectives(text: string): string[] {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    return [];
  }
  const names = [sent]
    .flat(1)
    .slice(0, 5)
    .map((one) => {
      const { 'csp-report': old, body } = (one ?? {}) as Sent;
      return old?.['effective-directive'] ?? old?.['violated-directive'] ?? body?.['effectiveDirective'];
    });
  return names.filter((name): name is string => typeof name === 'string' && /^[a-z-]{3,40}$/.test(name));
}
