import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

/** The pages of docs/ that people who use the API need, by their names. */
export const GUIDES = {
  integrar: 'Integrar su tienda, con programas completos',
  api: 'La API en detalle: estados, errores, repeticiones',
  webhooks: 'Recibir y verificar webhooks',
  'dia-del-comercio': 'El día de un comercio, de los pedidos al pago',
  'dia-del-mensajero': 'El día de un mensajero, de la recogida a la liquidación',
  woocommerce: 'WooCommerce: un puente de PHP, completo',
  shopify: 'Shopify: un puente de Node, completo',
} as const;

export type Guide = keyof typeof GUIDES;

const PATH = '/api/docs/guias';

/** Names that guides had, to which links may still lead. */
const FORMER: Record<string, Guide> = {
  'merchant-day': 'dia-del-comercio',
  'courier-day': 'dia-del-mensajero',
};

/** A link to a guide, as Markdown: relative, unlike the document's `externalDocs`, so that it leads to this very service. */
export const linkTo = (guide: Guide): string => `[${GUIDES[guide]}](${PATH}/${guide})`;

/** Where docs/ is, from `src` and from `dist/src`. */
const FOLDER = ['../../../docs', '../../../../docs']
  .map((path) => join(import.meta.dirname, path))
  .find((path) => existsSync(path));

/** Line breaks of the source are none of the text; the rest of Swagger UI is not needed. */
const CSS = `
  .swagger-ui .info hgroup.main .title span, .swagger-ui .scheme-container, .swagger-ui .wrapper:has(> .opblock-tag-section), .swagger-ui .topbar { display: none; }
  .swagger-ui .information-container ~ * { display: none; }
  .swagger-ui .renderedMarkdown br { display: none; }
  .swagger-ui .renderedMarkdown { overflow-wrap: anywhere; }
  .swagger-ui .renderedMarkdown table { display: block; overflow-x: auto; }
  .swagger-ui .renderedMarkdown pre { padding: 10px; overflow-x: auto; background: #333; color: #fff; white-space: pre; }
  .swagger-ui .renderedMarkdown pre code { background: none; color: inherit; }
  .swagger-ui .renderedMarkdown summary { cursor: pointer; font-weight: 700; }
`;

/**
 * The guides below /api/docs/guias: Swagger UI draws each as the description of a document without operations. They do not
 * exist where docs/ is not beside the service.
 */
export function setupGuides(app: NestFastifyApplication): void {
  if (!FOLDER) return;
  for (const guide of Object.keys(GUIDES) as Guide[])
    SwaggerModule.setup(`${PATH}/${guide}`, app, () => documentOf(guide), {
      raw: false,
      customSiteTitle: `Guías: ${GUIDES[guide]}`,
      customCss: CSS,
      swaggerOptions: { onComplete: scrollToPart },
    });
  const fastify = app.getHttpAdapter().getInstance();
  for (const [former, guide] of Object.entries(FORMER))
    fastify.get(`${PATH}/${former}`, { config: { access: 'public' } }, (_request, reply) =>
      reply.redirect(`${PATH}/${guide}`, 308),
    );
}

/** Runs in the browser: the part that the address names is drawn after the page was loaded. */
function scrollToPart(): void {
  // oxlint-disable-next-line no-restricted-globals -- of the browser
  setTimeout(() => document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView());
}

function documentOf(guide: Guide): OpenAPIObject {
  const [heading, ...lines] = readFileSync(join(FOLDER!, `${guide}.md`), 'utf8').split('\n');
  const info = {
    title: heading!.replace(/^# /, ''),
    version: '',
    description: toDescription(lines.join('\n')),
  };
  return { openapi: '3.1.0', info, paths: {} };
}

/** With an id for each heading, and with links to other guides; other files are not served. */
export function toDescription(markdown: string): string {
  return markdown
    .replace(/^(#{2,4}) (.+)$/gm, (_, { length }: string, text: string) => {
      const id = text
        .toLowerCase()
        .replace(/[^\p{L}\d\s-]/gu, '')
        .replace(/\s/g, '-');
      return `<h${length} id="${id}">${text}</h${length}>`;
    })
    .replace(
      /\[([^\][]{1,200})\]\((?!https?:|#)(?:\.\/)?([^()#]{1,200})(#[^()]{0,200})?\)/g,
      (_, text: string, file: string, part = '') =>
        file.endsWith('.md') && Object.hasOwn(GUIDES, file.slice(0, -3))
          ? `[${text}](${PATH}/${file.slice(0, -3)}${part})`
          : text,
    );
}
