// The log: JSON lines by pino, without secrets. What must never be written is listed here once.
import { type LogFn, type Logger, pino } from 'pino';
import { countEvent } from './metrics/metrics.ts';
import { currentRequestId } from './telemetry/telemetry.ts';

export type Log = Logger;

/** Keys whose values never reach a log, wherever they stand. @source SECURITY section 3 */
export const SECRET_KEYS = [
  'oauth_token', 'ticket', 'beta_key', 'code', 'authorization_code', 'identity_token', 'fb_access_token', 'vk_access_token', 'oauth_verifier',
  'state', 'password', 'card_info', 'card_password', 'authorization', 'cookie', 'set-cookie', 'token', 'secret', 'api_key', 'x-api-key',
  'integration_key',
] as const; /* a row a line */ // prettier-ignore

/** A request is method, host and path: the query may carry a token, so it is not logged at all. */
export function describeRequest(request: { method: string; url: string; headers: Record<string, unknown> }) {
  return {
    method: request.method,
    host: String(request.headers.host ?? '').slice(0, 100),
    path: request.url.split(/[?#]/, 1)[0]?.slice(0, 200),
  };
}

/** An error is its kind, message and stack; never its properties, which may hold a request. */
function describeError(error: unknown) {
  const { name, message, code, stack } = error as Error & { code?: string };
  return { name, message: maskSecrets(String(message)), kind: code, stack: stack ? maskSecrets(stack) : undefined };
}

/** Free text, or a word of ours. */
function describeReason(reason: unknown): unknown {
  return typeof reason === 'string' ? maskSecrets(reason) : reason;
}

/** A code that names a country or what went wrong is no secret, and an operator needs it. */
const SECRET_CODE = '(?<!(?:country|currency|result|error|reason|event|status|response|return)[_-]?)code';

const SECRET_PAIRS = new RegExp(
  `(["']?(?:${SECRET_KEYS.map((key) => (key === 'code' ? SECRET_CODE : key)).join('|')})["']?\\s*[=:]\\s*)("[^"]*"|'[^']*'|(?:(?:Bearer|Basic)\\s+)?[^\\s&,;}]+)`,
  'gi',
);

/** Replaces session tokens and anything that looks like `secret_key=value` in free text. */
export function maskSecrets(text: string): string {
  return text.replace(/(r[fbth]1_)[A-Za-z0-9_-]{20,}/g, '$1***').replace(SECRET_PAIRS, '$1***');
}

/** Every line that an operator is to be woken by is a number too. */
function countAlert(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
  const [first] = args as [unknown];
  const alert = typeof first === 'object' && first !== null && 'alert' in first ? first.alert : null;
  if (typeof alert === 'string') countEvent('alerts', { alert });
  method.apply(this, args);
}

/** One number finds the page's report, the lines and the trace of a request. */
function nameRequest(line: object): object {
  const request = currentRequestId();
  return request === null || 'request' in line ? {} : { request };
}

type Destination = { write(line: string): void };

/**
 * @param destination instead of standard output
 * @param also beside standard output
 */
export function createLog(level: string, destination?: Destination | null, also?: Destination | null): Log {
  const options = {
    level,
    base: null,
    hooks: { logMethod: countAlert },
    mixin: nameRequest,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_KEYS.flatMap((key) => [`["${key}"]`, `*["${key}"]`, `*.*["${key}"]`]), censor: '***' },
    // A reason may be the message of somebody else's error.
    serializers: { req: describeRequest, err: describeError, error: describeError, reason: describeReason },
  };
  if (also) {
    const streams = [pino.destination(1), also].map((stream) => ({ level: 'trace' as const, stream }));
    return pino(options, pino.multistream(streams));
  }
  return destination ? pino(options, destination) : pino(options);
}
