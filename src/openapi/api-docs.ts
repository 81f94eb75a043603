import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.js';
import { createOpenApiDocument, type DocumentedWebhooks } from './openapi-document.js';
import { loadSwagger } from './decorators.js';

const DOCS_PATH = 'api/docs';

/** The page works from this server alone, also offline; its styles are partly inline. */
const DOCS_CSP =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

/** What a browser asks with whether its copy is still good; nothing else of a request concerns these pages. */
const CONDITIONS = new Set(['if-none-match', 'if-modified-since']);

/** Hop-by-hop headers: an answer that is handed on has its own. */
const HOP_BY_HOP = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);

/** Swagger UI at /api/docs, the document at /api/docs-json and /api/docs-yaml; loaded and made at the first visit. */
export function setupApiDocs(app: NestFastifyApplication, webhooks: DocumentedWebhooks): void {
  let pages: Promise<FastifyInstance> | undefined;
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    pages ??= makePages(app, webhooks);
    const server = await pages;
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => CONDITIONS.has(name)),
    );
    const page = await server.inject({ method: 'GET', url: request.url, headers, payloadAsStream: true });
    if (page.statusCode >= 500) throw new Error(`the documentation answered ${page.statusCode}`);
    if (page.statusCode >= 400) throw new AppError('no_encontrado');
    for (const [name, value] of Object.entries(page.headers))
      if (!HOP_BY_HOP.has(name)) void reply.header(name, value);
    void reply.status(page.statusCode).header('Content-Security-Policy', DOCS_CSP);
    return reply.send(page.statusCode === 304 ? undefined : page.stream());
  };
  const fastify = app.getHttpAdapter().getInstance();
  for (const path of ['', '/*', '-json', '-yaml']) fastify.get(`/${DOCS_PATH}${path}`, answer);
}

@Module({})
class ApiDocsModule {}

/** An application of its own: a server that listens takes no more routes. */
async function makePages(
  app: NestFastifyApplication,
  webhooks: DocumentedWebhooks,
): Promise<FastifyInstance> {
  const { SwaggerModule } = await loadSwagger();
  const document = await createOpenApiDocument(app, webhooks);
  const adapter = new FastifyAdapter({ routerOptions: { ignoreTrailingSlash: true }, skipMiddie: true });
  // No logger of its own, not even none: Nest has one for all applications of a process.
  const pages = await NestFactory.create<NestFastifyApplication>(ApiDocsModule, adapter, {
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
  const fastify = adapter.getInstance<FastifyInstance>();
  await fastify.ready();
  return fastify;
}
