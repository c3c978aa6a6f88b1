// The wrapper of every answer and the query keys every call accepts.
import Type, { type Static, type TSchema } from 'typebox';

/** `{code, msg, content}`, the wrapper of every answer. @source specification section 7, "Responses are wrapped" */
export type Envelope<Content> = { code: number; msg: string; content: Content | null };

/** Text of a bounded length, the default for anything a stranger sends. */
export const Text = (maxLength: number) => Type.String({ maxLength });

/** Keys accepted on every call. @source specification section 7, "Common additions" */
const commonKeys = {
  idfv: Type.Optional(Text(128)),
  spec_lang: Type.Optional(Text(16)),
  oauth_token: Type.Optional(Text(128)),
};

/** A query or body: our keys plus the common ones. Unknown keys are dropped, not refused: old links carry many. */
export function params<Keys extends Record<string, TSchema>>(keys: Keys) {
  return Type.Object({ ...commonKeys, ...keys });
}

export const NoContent = Type.Object({});
export type NoContent = Static<typeof NoContent>;

export const ClientId = Type.String({ minLength: 1, maxLength: 32, pattern: '^[A-Za-z0-9_-]+$' });
export const Platform = Type.Enum(['android', 'ios', 'web']);
export type Platform = Static<typeof Platform>;

/** One name-and-value pair, how areas, servers and roles travel. @source specification section 3, "Order draft" */
export const Pair = Type.Object({ display: Type.String(), value: Type.String() });
export type Pair = Static<typeof Pair>;
