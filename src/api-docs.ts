import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from './errors/app-error.js';
import { createOpenApiDocument } from './openapi-document.js';
import { loadSwagger } from './openapi/decorators.js';

const DOCS_PATH = 'api/docs';

/** The page works from this server alone, also offline; its styles are partly inline. */
const DOCS_CSP =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

/** Headers of a connection, which an answer that is handed on has of its own. */
const OF_THE_CONNECTION = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);

/** Swagger UI at /api/docs, the document at /api/docs-json and /api/docs-yaml; loaded and made at the first visit. */
export function setupApiDocs(app: NestFastifyApplication): void {
  let pages: Promise<FastifyInstance> | undefined;
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    pages ??= makePages(app).catch((error: unknown) => {
      pages = undefined;
      throw error;
    });
    const { url, headers } = request;
    const page = await (await pages).inject({ method: 'GET', url, headers });
    if (page.statusCode === 404) throw new AppError('no_encontrado');
    for (const [name, value] of Object.entries(page.headers))
      if (!OF_THE_CONNECTION.has(name)) void reply.header(name, value);
    return reply.status(page.statusCode).header('Content-Security-Policy', DOCS_CSP).send(page.rawPayload);
  };
  const fastify = app.getHttpAdapter().getInstance();
  for (const path of ['', '/*', '-json', '-yaml']) fastify.get(`/${DOCS_PATH}${path}`, answer);
}

@Module({})
class ApiDocsModule {}

/** An application of its own: a server that listens takes no more routes. */
async function makePages(app: NestFastifyApplication): Promise<FastifyInstance> {
  const { SwaggerModule } = await loadSwagger();
  const document = await createOpenApiDocument(app);
  const pages = await NestFactory.create<NestFastifyApplication>(ApiDocsModule, new FastifyAdapter(), {
    logger: false,
    abortOnError: false,
  });
  SwaggerModule.setup(DOCS_PATH, pages, document, {
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
  await pages.init();
  return pages.getHttpAdapter().getInstance();
}
