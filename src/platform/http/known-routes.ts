import type { FastifyInstance, FastifyRequest } from 'fastify';
import findMyWay from 'find-my-way';
import { AppError } from '../errors/app-error.js';

/** Distinguishes an unknown path (404) from an unsupported method (405); Fastify answers 404 to both. */
export class KnownRoutes {
  private readonly methodsOf = new Map<string, Set<string>>();
  private readonly paths;

  constructor(options: Parameters<typeof findMyWay>[0]) {
    this.paths = findMyWay(options);
  }

  /** Call it before any route is registered. Answers before the body is read. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method }) => {
      for (const one of [method].flat()) this.methods(url).add(one);
    });
    fastify.addHook('onRequest', (request, _reply, done) => {
      done(request.is404 || this.isNoId(request) ? this.unknown(request) : undefined);
    });
  }

  /** Whether a path with a route of its own, as `guias/lote`, was taken for that of an id, as `guias/:id`. */
  private isNoId({ url, routeOptions }: FastifyRequest): boolean {
    const taken = routeOptions.url;
    return taken?.includes(':') === true && this.find(url) !== this.methodsOf.get(taken);
  }

  private methods(url: string): Set<string> {
    const known = this.methodsOf.get(url);
    if (known) return known;
    const methods = new Set<string>();
    this.methodsOf.set(url, methods);
    this.paths.on('GET', url, () => undefined, methods);
    return methods;
  }

  /** The methods of the most specific route of a path. */
  private find(url: string): Set<string> | undefined {
    return this.paths.find('GET', url.split('?')[0]!)?.store as Set<string> | undefined;
  }

  private unknown(request: FastifyRequest): AppError {
    const methods = this.find(request.url);
    if (!methods || methods.has(request.method)) return noSuchRoute();
    const allowed = [...methods].sort().join(', ');
    return new AppError('metodo_no_permitido', {
      detail: `Esta ruta no toma ${request.method}, sino: ${allowed}.`,
      headers: { Allow: allowed },
    });
  }
}

function noSuchRoute(): AppError {
  return new AppError('no_encontrado', {
    detail: 'No existe esta ruta. Revise la dirección: todas están en `/api/docs`.',
  });
}
