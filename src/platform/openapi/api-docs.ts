import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import type { FastifyRequest, onSendHookHandler } from 'fastify';
import { MadeOnce } from './made-once.js';
import { setupGuides } from './guides.js';
import { keyOfTab } from './key-of-tab.js';
import { localReferences } from './local-references.js';
import { shortErrors } from './short-errors.js';
import { spanishUi } from './spanish-ui.js';
import { createOpenApiDocument, type DocumentedWebhooks } from './openapi-document.js';

const DOCS_PATH = 'api/docs';

/** Everything comes from this server, so the page works offline; Swagger UI has inline styles. */
const DOCS_CSP =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

const DOCUMENT_LINKS = `<nav class="document" aria-label="Documentación"><a href="/${DOCS_PATH}">Referencia</a> · El documento OpenAPI: <a href="/${DOCS_PATH}-json">JSON</a> · <a href="/${DOCS_PATH}-yaml">YAML</a> · <a href="/${DOCS_PATH}-json?version=3.0">JSON, versión 3.0</a></nav>`;

const CSS = `
  .document { padding: 12px 20px; background: #1b1b1b; color: #fff; font: 16px/1.5 system-ui, sans-serif; }
  .document a { display: inline-block; padding: 6px 4px; color: #9be6d3; }
  .swagger-ui .topbar, .swagger-ui .response-col_links { display: none; }
  .swagger-ui .parameter__name.required::after { content: 'obligatorio'; }
  .swagger-ui .short-error p { margin: 0 0 4px; font-size: 14px; }
  .swagger-ui .short-error code { font-size: 12px; font-weight: 600; color: #9012fe; }
  .swagger-ui .error-details { padding: 4px 0; border: 0; background: none; color: #0b6bcb; font-size: 13px; text-decoration: underline; cursor: pointer; }
  .swagger-ui .curl-command .copy-to-clipboard, .swagger-ui .highlight-code .copy-to-clipboard { position: static; margin: 0 0 4px auto; }
  .swagger-ui .highlight-code .download-contents { position: static; width: max-content; margin: 6px 0 0 auto; }
  @media (max-width: 640px) {
    .swagger-ui .opblock-tag { flex-wrap: wrap; }
    .swagger-ui .opblock-tag small { flex: 1 0 100%; order: 3; padding: 8px 0 0; }
  }
`;

/** The document, and the program of the page, which contains it: each takes long to write. */
const MADE_ONCE = /^\/api\/docs(-json|-yaml|.*\/swagger-ui-init\.js)$/;

/** Removed from requests, so that every response is a complete file; `If-None-Match` still works. */
const IGNORED_HEADERS = ['range', 'if-range', 'if-match', 'if-unmodified-since'];

/** Whether `?version=3.0` asks for the document of tools that know no OpenAPI 3.1. */
const isOf30 = ({ query }: FastifyRequest): boolean =>
  String((query as { version?: unknown }).version).startsWith('3.0');

/** Swagger UI at /api/docs, the document at /api/docs-json and /api/docs-yaml; made at the first visit. */
export function setupApiDocs(app: NestFastifyApplication, webhooks: DocumentedWebhooks): void {
  const fastify = app.getHttpAdapter().getInstance();
  const once = new MadeOnce((request) => (isOf30(request) ? '3.0' : '3.1'));
  fastify.addHook('onRoute', (route) => {
    if (!route.url.startsWith(`/${DOCS_PATH}`)) return;
    route.onRequest = (request, reply, done) => {
      void reply.header('Content-Security-Policy', DOCS_CSP);
      for (const name of IGNORED_HEADERS) delete request.raw.headers[name];
      done();
    };
    route.onSend = [...[route.onSend ?? []].flat(), sayUtf8, adaptPage];
    if (MADE_ONCE.test(route.url)) once.keep(route);
  });
  // Who knows the host alone finds the documentation.
  for (const path of ['/', '/api'])
    fastify.get(path, { config: { access: 'public' } }, (_request, reply) => reply.redirect(`/${DOCS_PATH}`));
  setupGuides(app);
  SwaggerModule.setup(DOCS_PATH, app, () => createOpenApiDocument(app, webhooks), {
    jsonDocumentUrl: `${DOCS_PATH}-json`,
    yamlDocumentUrl: `${DOCS_PATH}-yaml`,
    customSiteTitle: 'Guías: documentación de la API',
    customCss: CSS,
    patchDocumentOnRequest: (request, _reply, document) =>
      isOf30(request as FastifyRequest) ? createOpenApiDocument(app, webhooks, '3.0.3') : document,
    swaggerOptions: {
      plugins: [spanishUi, shortErrors, localReferences, keyOfTab],
      tryItOutEnabled: true,
      displayRequestDuration: true,
      defaultModelsExpandDepth: 0,
      defaultModelExpandDepth: 3,
    },
  });
}

const sayUtf8: onSendHookHandler = (_request, reply, body, done) => {
  const type = reply.getHeader('Content-Type');
  if (typeof type === 'string' && /^(text|application)\//.test(type) && !type.includes('charset'))
    void reply.header('Content-Type', `${type}; charset=utf-8`);
  done(null, body);
};

/** Adds what the package's page lacks: language, viewport for phones, and links to the document. */
const adaptPage: onSendHookHandler = (_request, _reply, body, done) => {
  if (typeof body !== 'string' || !body.includes('<div id="swagger-ui">')) return done(null, body);
  const page = body
    .replace('<html lang="en">', '<html lang="es">')
    .replace('<head>', '<head>\n<meta name="viewport" content="width=device-width, initial-scale=1">')
    .replace('<div id="swagger-ui">', `${DOCUMENT_LINKS}\n<div id="swagger-ui">`);
  done(null, page);
};
