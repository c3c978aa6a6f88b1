// The endpoint that a command names.
import { type Endpoint, findEndpoint } from '#server/modules/webhooks/store.ts';
import type { Queryable } from '#server/platform/database/db.ts';
import { InputFault } from '#cli/terminal.ts';

/** Throws InputFault when there is none. */
export async function readEndpoint(db: Queryable, endpointId: string): Promise<Endpoint> {
  const endpoint = await findEndpoint(db, endpointId);
  if (!endpoint) throw new InputFault(`There is no endpoint ${endpointId}; \`refill webhooks list\` has them.`);
  return endpoint;
}
