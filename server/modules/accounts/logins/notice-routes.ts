// Login companies call these routes when one of their accounts has changed. The call proves itself; who sent it does
// not matter.
import type { FastifyInstance } from 'fastify';
import { LOGIN_KINDS, LOGIN_NOTICE_PATH } from '#contracts/logins.ts';
import { type HttpDeps, siteOfRequest } from '#server/platform/http/http.ts';
import type { LoginsService } from './logins.ts';
import type { NoticeAnswer } from './take-notice.ts';
import { plainAddress } from '#server/platform/http/plain-address.ts';

/** Our choice: a notice of Apple has about 1 kB. */
const BODY_LIMIT = 16 * 1024;

const STATUS: Readonly<Record<Exclude<NoticeAnswer, 'none'>, number>> = { taken: 200, refused: 401, unavailable: 503 };

export function mountNoticeRoutes(app: FastifyInstance, http: HttpDeps, logins: LoginsService): void {
  app.register(async (outside) => {
    outside.removeAllContentTypeParsers();
    outside.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    outside.post<{ Params: { kind: string } }>(
      `${LOGIN_NOTICE_PATH}/:kind`,
      { schema: { hide: true } as never },
      async (request, reply) => {
        const site = siteOfRequest(http, request);
        const kind = LOGIN_KINDS.find((one) => one === request.params.kind);
        if (!site || !kind) return reply.callNotFound();
        const body = typeof request.body === 'string' ? request.body : '';
        const answer = await logins.takeNotice(site, { kind, body, ip: plainAddress(request) });
        if (answer === 'none') return reply.callNotFound();
        // Nothing beside the status: whoever forges learns no more than that it failed.
        return reply.code(STATUS[answer]).type('application/json; charset=utf-8').send('{}');
      },
    );
  });
}
