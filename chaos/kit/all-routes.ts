// Every address that a shop's app answers, as Fastify itself knows them: also those that no document tells.
import type { FastifyInstance } from 'fastify';

export type MountedRoute = { readonly method: 'GET' | 'POST'; readonly path: string };

/** In the order of the router; parameters as `:name`, HEAD and OPTIONS left out. */
export function listRoutes(app: FastifyInstance): MountedRoute[] {
  const parents: string[] = [];
  return app
    .printRoutes({ commonPrefix: false, includeHooks: false })
    .split('\n')
    .flatMap((line) => {
      const match = /^([│ ]*)[├└]── (\S*) ?(?:\(([A-Z, ]+)\))?$/.exec(line);
      if (!match) return [];
      const [, indent = '', part = '', methods = ''] = match;
      const depth = indent.length / 4;
      const path = `${depth === 0 ? '' : (parents[depth - 1] ?? '')}${part}`;
      parents[depth] = path;
      return methods
        .split(', ')
        .flatMap((method) => (method === 'GET' || method === 'POST' ? [{ method, path } as const] : []));
    });
}
