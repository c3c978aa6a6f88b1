// Every call of the shop, as its own OpenAPI document tells it, and an input that fits: for
// tests that go over all of them.
import type { FastifyInstance } from 'fastify';

type Schema = {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
};
type Operation = {
  readonly parameters?: readonly { in: string; name: string; required?: boolean; schema: Schema }[];
  readonly requestBody?: { content?: Readonly<Record<string, { schema: Schema }>> };
};
export type OpenApi = { readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

export type Call = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Keys of its query or body, the ones it must have with a value that fits. */
  readonly keys: Readonly<Record<string, Schema>>;
  readonly input: Readonly<Record<string, unknown>>;
};

/** The shipped shop knows these values. */
const KNOWN: Readonly<Record<string, unknown>> = {
  client_id: '70021',
  game_id: 'starlane',
  server_id: 's1',
  role_id: 'r1',
  product_id: 'star_50',
  use_category: 'avail',
  kind: 'google',
  billing_no: '01JGZZZZZZZZZZZZZZZZZZZZZZ',
};

export function listCalls(document: OpenApi): Call[] {
  const calls: Call[] = [];
  for (const [path, operations] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(operations)) {
      if (method !== 'get' && method !== 'post') continue;
      const query = Object.fromEntries(
        (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name, schema }) => [name, schema]),
      );
      const required = new Set((operation.parameters ?? []).filter((one) => one.required).map(({ name }) => name));
      const body = operation.requestBody?.content?.['application/json']?.schema;
      const keys = method === 'get' ? query : (body?.properties ?? {});
      const needed = Object.keys(keys).filter((name) =>
        method === 'get' ? required.has(name) : body?.required?.includes(name),
      );
      const input = Object.fromEntries(needed.map((name) => [name, KNOWN[name] ?? sampleOf(keys[name] ?? {})]));
      // Parameters in the path are filled with something that nobody has.
      calls.push({
        method: method === 'get' ? 'GET' : 'POST',
        path: path.replaceAll(/\{[^}]+\}/g, 'nothing'),
        keys,
        input,
      });
    }
  }
  return calls;
}

export const callsOf = (app: FastifyInstance): Call[] => listCalls(app.swagger() as OpenApi);

function sampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0]);
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
  if (schema.type === 'boolean') return true;
  if (schema.type === 'array') return [];
  if (schema.type === 'object') return {};
  return 'x';
}
