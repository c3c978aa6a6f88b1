// The OpenAPI document of the admin API: made of contracts/admin.ts by the plug-in that makes the storefront's, with
// what all its calls have in common, and with the outgoing webhooks.
import { ADMIN_ERRORS } from '#contracts/admin.ts';
import { OrderEvent, WEBHOOK_TYPES } from '#contracts/webhooks.ts';

const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description }) as const;

export const OPEN_API_INFO = {
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Refill admin API',
      version: '1',
      description:
        "Questions and acts of support and finance, on the operator's port. Every call is signed: " +
        'docs/admin-api.md, "Signature". Fields and codes are added to, never renamed.',
    },
    components: {
      securitySchemes: {
        key: header('refill-key', 'The id of the key, AK-...'),
        id: header('webhook-id', 'Of this call, made up by the caller; the idempotency key of an act'),
        timestamp: header('webhook-timestamp', 'Unix seconds, at most five minutes off'),
        signature: header('webhook-signature', 'v1,<base64 HMAC-SHA256>'),
      },
    },
    security: [{ key: [], id: [], timestamp: [], signature: [] }],
  },
};

const errorSchema = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', enum: Object.keys(ADMIN_ERRORS) },
        message: { type: 'string' },
        outcome: { type: 'string', description: 'Of `not_possible`: a word for programs' },
      },
    },
  },
};

type Paths = Record<string, Record<string, { responses?: Record<string, unknown> }>>;

/** @param made by the plug-in out of the routes */
export function toOpenApi(made: object): object {
  const { paths = {}, ...rest } = structuredClone(made) as { paths?: Paths };
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path)))
    operation.responses = {
      ...operation.responses,
      default: {
        description: 'A refusal: `error.code` is a word for programs, `error.message` is for a person',
        content: { 'application/json': { schema: errorSchema } },
      },
    };
  const webhook = {
    post: {
      summary: `By Standard Webhooks, signed with the endpoint's secret: ${WEBHOOK_TYPES.join(', ')}`,
      security: [],
      requestBody: { content: { 'application/json': { schema: OrderEvent } } },
      responses: { '2XX': { description: 'Taken; anything else is tried again' } },
    },
  };
  return { ...rest, paths, webhooks: { order: webhook } };
}
