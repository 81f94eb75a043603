import type { TestApp } from './test-app.js';

export interface Route {
  method: string;
  /** As registered, like `/api/v1/guias/:id`. */
  path: string;
}

/** Every route of the running app. */
export function routesOf({ app }: Pick<TestApp, 'app'>): Route[] {
  const fastify = app.getHttpAdapter().getInstance();
  return readRoutes(fastify.printRoutes({ commonPrefix: false, includeHooks: false }));
}

/** Fastify's tree of routes as a list. */
function readRoutes(tree: string): Route[] {
  const parents: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const found = /^([\s│]*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?$/.exec(line);
    if (!found) return [];
    const [, indent, part, methods] = found;
    const depth = indent!.length / 4;
    parents.length = depth;
    parents.push((parents[depth - 1] ?? '') + part!);
    return (methods?.split(', ') ?? []).map((method) => ({ method, path: parents[depth]! }));
  });
}
