import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import type { onSendHookHandler } from 'fastify';
import { createOpenApiDocument, type DocumentedWebhooks } from './openapi-document.js';

const DOCS_PATH = 'api/docs';

/** Everything comes from this server, so the page works offline; Swagger UI has inline styles. */
const DOCS_CSP =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

/** Removed from requests, so that every answer is a whole file; `If-None-Match` still works. */
const IGNORED_HEADERS = ['range', 'if-range', 'if-match', 'if-unmodified-since'];

/** Swagger UI at /api/docs, the document at /api/docs-json and /api/docs-yaml; built at the first visit. */
export function setupApiDocs(app: NestFastifyApplication, webhooks: DocumentedWebhooks): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRoute', (route) => {
    if (!route.url.startsWith(`/${DOCS_PATH}`)) return;
    route.onRequest = (request, reply, done) => {
      void reply.header('Content-Security-Policy', DOCS_CSP);
      for (const name of IGNORED_HEADERS) delete request.raw.headers[name];
      done();
    };
    route.onSend = [...[route.onSend ?? []].flat(), sayUtf8];
  });
  SwaggerModule.setup(DOCS_PATH, app, () => createOpenApiDocument(app, webhooks), {
    jsonDocumentUrl: `${DOCS_PATH}-json`,
    yamlDocumentUrl: `${DOCS_PATH}-yaml`,
    customSiteTitle: 'Guías: documentación de la API',
    swaggerOptions: {
      persistAuthorization: true,
      tryItOutEnabled: true,
      displayRequestDuration: true,
      defaultModelsExpandDepth: 0,
    },
  });
}

const sayUtf8: onSendHookHandler = (_request, reply, body, done) => {
  const type = reply.getHeader('Content-Type');
  if (typeof type === 'string' && /^(text|application)\//.test(type) && !type.includes('charset'))
    void reply.header('Content-Type', `${type}; charset=utf-8`);
  done(null, body);
};
