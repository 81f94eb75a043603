import type { FastifyInstance, FastifyRequest } from 'fastify';
import findMyWay from 'find-my-way';
import { AppError } from '../errors/app-error.js';

/** Tells an unknown path (404) from another method of a known path (405); Fastify answers 404 to both. */
export class KnownRoutes {
  private readonly methodsOf = new Map<string, Set<string>>();
  private readonly paths;

  constructor(options: { maxParamLength: number; ignoreTrailingSlash: boolean }) {
    this.paths = findMyWay(options);
  }

  /** Call it before any route is registered. Answers before the body is read. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method }) => {
      for (const one of [method].flat()) this.methods(url).add(one);
    });
    fastify.addHook('onRequest', (request, _reply, done) => {
      done(request.is404 ? this.unknown(request) : undefined);
    });
  }

  private methods(url: string): Set<string> {
    const known = this.methodsOf.get(url);
    if (known) return known;
    const methods = new Set<string>();
    this.methodsOf.set(url, methods);
    this.paths.on('GET', url, () => undefined, methods);
    return methods;
  }

  private unknown(request: FastifyRequest): AppError {
    const methods = this.paths.find('GET', request.url.split('?')[0]!)?.store as Set<string> | undefined;
    if (!methods || methods.has(request.method)) return noSuchRoute(request.url);
    const allowed = [...methods].sort().join(', ');
    return new AppError('metodo_no_permitido', {
      detail: `Esta ruta no toma ${request.method}, sino: ${allowed}.`,
      headers: { Allow: allowed },
    });
  }
}

/** A program's typing error gets a hint; people open pages, and their links lead to them. */
function noSuchRoute(url: string): AppError {
  return new AppError('no_encontrado', {
    ...(url.startsWith('/api/') && {
      detail: 'No existe esta ruta. Revise la dirección: todas están en `/api/docs`.',
    }),
  });
}
