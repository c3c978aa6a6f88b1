// The admin API on the operator's port: every call is signed by a key, counted, answered once, and then handled.
// Nothing is mounted without REFILL_KEY_SECRETS.
import { createHash } from 'node:crypto';
import swagger from '@fastify/swagger';
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { Compile } from 'typebox/compile';
import { ADMIN_ERRORS, type AdminRoute, adminRoutes, hasScope } from '#contracts/admin.ts';
import { isDatabaseDown } from '#server/platform/database/db.ts';
import { readJson } from '#server/platform/http/signed-call.ts';
import { hostOf } from '#server/platform/http/site.ts';
import { createAddressLimit, createFailureLimit } from '#server/platform/limits/address-limits.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import { errorBody, refuse, refuseUnread, send } from '#server/operator/refusals.ts';
import { type AdminDeps, type AdminReply, createAdminHandlers } from './admin-handlers.ts';
import { type AdminKey, type CallName, finishCall, takeCall } from './key-store.ts';
import { findCaller } from './keys.ts';
import { OPEN_API_INFO, toOpenApi } from './open-api.ts';
import { type CallPart, type SchemaFault, listNames, sayFault, sayUnstorable } from './say-fault.ts';
import { plainAddress } from '#server/platform/http/plain-address.ts';

const ADMIN_PREFIX = '/admin/v1';
const DOCUMENT = { method: 'GET', path: '/openapi.json' } as const;

/** Our choice: a console with a dozen people; an export pages in steps of 200. */
const CALLS_PER_MINUTE = 600;
/** Our choice: beyond this no refusal is looked at or written down. */
const REFUSED = { failures: 30, seconds: 60, bits: { ipv4: 32, ipv6: 64 } };
/** An act has the statement time-out of 10 s a few times. */
const STALL_SECONDS = 60;

/** A part of the operator's port. */
export function adminPart(deps: AdminDeps): (app: FastifyInstance) => Promise<void> {
  return async (app) => {
    if (deps.config.keySecrets.length > 0) await mountAdmin(app, deps, createGuard(deps));
  };
}

/** The document that is kept beside the words about it. */
export async function readAdminApi(): Promise<unknown> {
  const app = fastify();
  // No call of it is answered, so nothing of the shop is needed.
  await app.register((own: FastifyInstance) =>
    mountAdmin(own, {} as AdminDeps, async () => ({ refusal: 'unauthorized' })),
  );
  const answer = await app.inject({ url: `${ADMIN_PREFIX}${DOCUMENT.path}` });
  await app.close();
  return answer.json();
}

async function mountAdmin(app: FastifyInstance, deps: AdminDeps, guard: Guard): Promise<void> {
  await app.register(swagger, OPEN_API_INFO);
  readBytes(app);
  app.setErrorHandler<FastifyError>((error, request, reply) => answerFault(deps, error, request, reply));
  app.get(`${ADMIN_PREFIX}${DOCUMENT.path}`, { schema: { hide: true } as never }, async () => toOpenApi(app.swagger()));
  const handlers = createAdminHandlers(deps);
  for (const name of Object.keys(adminRoutes) as (keyof typeof adminRoutes)[])
    mountAdminRoute(app, { ...deps, guard }, name, handlers[name] as Handler);
  await app.register(async (own) => mountNoRoute(own, guard), { prefix: ADMIN_PREFIX });
}

/** Answers calls of no route. The signature is checked first, so that strangers learn of no call from its absence. */
function mountNoRoute(app: FastifyInstance, guard: Guard): void {
  app.setNotFoundHandler(async (request, reply) => {
    const caller = await guard(request);
    if ('refusal' in caller) return refuse(reply, caller.refusal);
    const methods = listMethods(request.raw.url ?? '');
    if (methods.length === 0) return refuse(reply, 'not_found', 'there is no such call');
    const allowed = methods.join(', ');
    return refuse(reply.header('allow', allowed), 'method_not_allowed', `the path takes ${allowed}`);
  });
}

/** The methods that a target of this prefix may be called by; none for a path that no call has. */
function listMethods(target: string): string[] {
  const segments = target.slice(ADMIN_PREFIX.length).split('?', 1)[0]?.split('/') ?? [];
  const isOf = (path: string) => {
    const wanted = path.split('/');
    const fits = wanted.every((part, place) => (part.startsWith(':') ? segments[place] : part === segments[place]));
    return fits && wanted.length === segments.length;
  };
  const found = [...Object.values(adminRoutes), DOCUMENT].filter(({ path }) => isOf(path)).map(({ method }) => method);
  // Fastify answers HEAD wherever it answers GET.
  return [...new Set(found.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
}

type Handler = (input: { params: unknown; query: unknown; body: unknown }, key: AdminKey) => Promise<AdminReply>;
type Guard = (request: FastifyRequest) => Promise<{ key: AdminKey } | { refusal: 'unauthorized' | 'too_many' }>;

/** The bytes are what was signed, so nothing is parsed before. */
function readBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  // Checked by hand, behind the signature; declared for the document alone.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
}

/** Which key signed the request, or why it is refused. */
function createGuard(deps: AdminDeps): Guard {
  const { counts, db, log, config } = deps;
  const mayCall = createAddressLimit(counts, 'admin_key', CALLS_PER_MINUTE);
  const refused = createFailureLimit(counts, 'admin_refused', REFUSED);
  return async (request) => {
    const header = (name: string) => String(request.headers[name] ?? '');
    const call = {
      keyId: header('refill-key'),
      method: request.method,
      host: hostOf(request) ?? '',
      target: request.raw.url ?? '',
      headers: {
        id: header('webhook-id'),
        timestamp: header('webhook-timestamp'),
        signature: header('webhook-signature'),
      },
      body: bytesOf(request),
    };
    const key = await findCaller(db, config.keySecrets, call, deps.now());
    // Asked only behind a signature that is wrong: whoever signs well is not kept out by others of the address.
    if (!key) {
      if (!(await refused.hasLeft(plainAddress(request)))) return { refusal: 'too_many' };
      await refused.count(plainAddress(request));
      noteSecurity(log, 'admin_refused', { ip: plainAddress(request), path: request.routeOptions.url ?? '' });
      return { refusal: 'unauthorized' };
    }
    return (await mayCall(key.key_id)) ? { key } : { refusal: 'too_many' };
  };
}

function mountAdminRoute(
  app: FastifyInstance,
  deps: AdminDeps & { readonly guard: Guard },
  name: keyof typeof adminRoutes,
  handler: Handler,
): void {
  const route: AdminRoute = adminRoutes[name];
  const { method, params, query, body, output, scope, summary } = route;
  const checks = { params: Compile(params), query: Compile(query), body: Compile(body) };
  const hasBody = listNames(body).length > 0;
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const caller = await deps.guard(request);
    if ('refusal' in caller) return refuse(reply, caller.refusal);
    const { key } = caller;
    if (!hasScope(key.scopes, scope)) {
      noteSecurity(deps.log, 'admin_forbidden', { key: key.name, scope, ip: request.ip, path: route.path });
      return refuse(reply, 'forbidden', `the key ${key.name} lacks the scope ${scope}`);
    }
    const bytes = bytesOf(request);
    const given = { params: request.params, query: request.query, body: bytes.length === 0 ? {} : readJson(bytes) };
    const fault = findFault(route, checks, request.raw.url ?? '', given);
    if (fault !== null) return refuse(reply, 'bad_request', fault);
    const call: CallName = {
      keyId: key.key_id,
      callId: String(request.headers['webhook-id']),
      fingerprint: createHash('sha256').update(`${method} ${request.raw.url}\n`).update(bytes).digest(),
    };
    const taken = await takeCall(deps.db, call, STALL_SECONDS);
    if (taken.kind === 'answered' && method === 'POST') return send(reply, taken.status, taken.answer);
    if (taken.kind !== 'new')
      return refuse(reply, method === 'GET' ? 'replayed' : taken.kind === 'running' ? 'in_progress' : 'id_used');
    const done = await handler(given, key);
    const [status, said] =
      'error' in done ? [ADMIN_ERRORS[done.error].http, errorBody(done.error, done)] : [200, done.body];
    await finishCall(deps.db, call, status, method === 'POST' ? said : null);
    return send(reply, status, said);
  };
  app.route({
    method,
    url: `${ADMIN_PREFIX}${route.path}`,
    schema: {
      operationId: name,
      summary,
      description: `Scope: ${scope}.`,
      ...(listNames(params).length > 0 ? { params } : {}),
      ...(listNames(query).length > 0 ? { querystring: query } : {}),
      ...(hasBody ? { body } : {}),
      response: { 200: output },
    } as never,
    handler: answer,
  });
}

const bytesOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

type Given = Readonly<Record<CallPart, unknown>>;
type Checks = Readonly<Record<CallPart, { Errors(value: unknown): readonly SchemaFault[] }>>;

/** The first fault of a call in words; null for none. */
function findFault(route: AdminRoute, checks: Checks, target: string, given: Given): string | null {
  if (!isDecodable(target)) return 'query: it is not percent-encoded as UTF-8';
  if (given.body === undefined) return 'body: it is no JSON in UTF-8';
  for (const part of ['params', 'query', 'body'] as const) {
    const [fault] = checks[part].Errors(given[part]);
    const sentence = fault ? sayFault(part, route[part], fault) : sayUnstorable(part, given[part] as object);
    if (sentence !== null) return sentence;
  }
  return null;
}

/** The parser of the query leaves what it cannot read as it is: it would be looked for, and not be found. */
function isDecodable(target: string): boolean {
  try {
    decodeURIComponent(target);
    return true;
  } catch {
    return false;
  }
}

function answerFault(deps: AdminDeps, error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isDatabaseDown(error)) return refuse(reply, 'unavailable');
  if ((error.statusCode ?? 500) < 500) return refuseUnread(reply, error);
  deps.log.error({ err: error, req: request }, 'a call of the admin API failed');
  return refuse(reply, 'failed');
}
