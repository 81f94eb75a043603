import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** On every answer: private, not cached, not framed, its type not guessed. */
const ALWAYS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
};

/** Browsers use only https for a year. */
const BEHIND_TLS = { ...ALWAYS, 'Strict-Transport-Security': 'max-age=31536000' };

/** A test key, authenticated or not: answers of routes without a key also say that nothing is real. */
const TEST_KEY = /^Bearer +gk_test_/i;

export class CommonHeaders {
  private readonly isPublicOverTls: boolean;

  constructor(publicUrl: string | undefined) {
    this.isPublicOverTls = publicUrl?.startsWith('https:') ?? false;
  }

  /** @param protocol of the request; unknown where it could not be read. */
  for(protocol?: string): Record<string, string> {
    return this.isPublicOverTls || protocol === 'https' ? BEHIND_TLS : ALWAYS;
  }

  addTo(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      this.set(request, reply);
      done();
    });
  }

  set(request: FastifyRequest, reply: FastifyReply): void {
    void reply.headers(this.for(request.protocol)).header('X-Request-Id', request.id);
    const { authorization } = request.headers;
    if (authorization !== undefined && TEST_KEY.test(authorization))
      void reply.header('Guias-Modo', 'prueba');
  }
}
