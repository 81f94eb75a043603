import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import { createOpenApiDocument, type DocumentedWebhooks } from './openapi-document.js';

const DOCS_PATH = 'api/docs';

/** The page works from this server alone, also offline; its styles are partly inline. */
const DOCS_CSP =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

/** Swagger UI at /api/docs, the document at /api/docs-json and /api/docs-yaml; built at the first visit. */
export function setupApiDocs(app: NestFastifyApplication, webhooks: DocumentedWebhooks): void {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (request, reply, done) => {
      if (request.url.startsWith(`/${DOCS_PATH}`)) void reply.header('Content-Security-Policy', DOCS_CSP);
      done();
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
