export interface CorreoContent {
  titulo: string;
  /** Below the title, on a ground of its own: red for what was lost or refused, amber for what is to be mended. */
  nota?: { texto: string; tono: 'bad' | 'care' } | undefined;
  parrafos: readonly string[];
  filas?: readonly (readonly [nombre: string, valor: string])[] | undefined;
  boton?: { texto: string; url: string } | undefined;
  /** Below the button. */
  despues?: readonly string[] | undefined;
}

export interface CorreoFrame {
  /** Whose installation it is. */
  de: string;
  pie?: string | undefined;
  /** The courier, and how to end mails of this kind. */
  enlaces: readonly { texto: string; url: string }[];
}

const NOTE = 'margin:0 0 16px;padding:12px 16px;border-radius:8px;';

/** By class, for light and dark: clients that read no sheet see the light ones, which stand in each element, too. */
const STYLES = {
  body: [
    'margin:0;background:#f8f4ec;color:#25211a;font:16px/1.5 system-ui,sans-serif',
    'background:#15161c;color:#f0ede6',
  ],
  mail: ['max-width:552px;margin:0 auto;padding:24px', ''],
  soft: ['margin:0 0 16px;font-size:14px;color:#5f574a', 'color:#b3b1ad'],
  card: [
    'padding:24px;border:1px solid #e2dacb;border-radius:14px;background:#fffdf8',
    'background:#1e2028;border-color:#353945',
  ],
  h: ['margin:0 0 8px;font-size:22px;line-height:1.25;color:#25211a', 'color:#f0ede6'],
  p: ['margin:0 0 16px;color:#25211a', 'color:#f0ede6'],
  bad: [`${NOTE}background:#fce4dd;color:#8a1f14`, 'background:#48201a;color:#ffc0b3'],
  care: [`${NOTE}background:#fdebc4;color:#623b00`, 'background:#3b2c0d;color:#fbd58a'],
  li: ['padding:8px 0;border-top:1px solid #e2dacb;overflow:hidden', 'border-color:#353945'],
  btn: [
    'display:block;margin:0 0 16px;padding:14px 16px;border-radius:8px;background:#2c3a85;color:#fff;font-weight:600;text-align:center;text-decoration:none',
    'background:#a9b5f7;color:#151b3f',
  ],
  a: ['color:#2c3a85', 'color:#a9b5f7'],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

const DARK = Object.entries(STYLES)
  .filter(([, [, dark]]) => dark !== '')
  .map(([name, [, dark]]) => `.${name}{${dark.replaceAll(/(?=;|$)/g, ' !important')}}`)
  .join('');

const as = (name: keyof typeof STYLES) => `class="${name}" style="${STYLES[name][0]}"`;

/** A mail as plain text and as HTML, which says the same; it loads nothing. */
export function renderCorreo(content: CorreoContent, frame: CorreoFrame): { texto: string; html: string } {
  return { texto: textOf(content, frame), html: htmlOf(content, frame) };
}

function textOf(
  { titulo, nota, parrafos, filas = [], boton, despues = [] }: CorreoContent,
  frame: CorreoFrame,
) {
  const link = ({ texto, url }: { texto: string; url: string }) => `${texto}: ${url}`;
  const parts = [
    titulo,
    nota?.texto,
    ...parrafos,
    filas.map(([nombre, valor]) => `${nombre}: ${valor}`).join('\n'),
    boton && link(boton),
    ...despues,
    ['--', frame.de, frame.pie, ...frame.enlaces.map(link)].filter(Boolean).join('\n'),
  ];
  return parts.filter(Boolean).join('\n\n').replaceAll('\u00a0', ' ');
}

function htmlOf(
  { titulo, nota, parrafos, filas = [], boton, despues = [] }: CorreoContent,
  frame: CorreoFrame,
) {
  const paragraph = (texto: string) => `<p ${as('p')}>${escaped(texto)}</p>`;
  const rows = filas.map(
    ([nombre, valor]) =>
      `<li ${as('li')}>${escaped(nombre)} <b style="float:right;padding-left:16px;text-align:right">${escaped(valor)}</b></li>`,
  );
  const links = frame.enlaces.map(
    ({ texto, url }) => `<a ${as('a')} href="${escaped(url)}">${escaped(texto)}</a>`,
  );
  return [
    '<!doctype html><html lang="es"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escaped(titulo)}</title>`,
    `<style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${DARK}}</style></head>`,
    `<body ${as('body')}><div ${as('mail')}><p ${as('soft')}><b>${escaped(frame.de)}</b></p>`,
    `<div ${as('card')}><h1 ${as('h')}>${escaped(titulo)}</h1>`,
    nota ? `<p ${as(nota.tono)}>${escaped(nota.texto)}</p>` : '',
    ...parrafos.map(paragraph),
    rows.length > 0 ? `<ul style="margin:0 0 16px;padding:0;list-style:none">${rows.join('')}</ul>` : '',
    boton ? `<a ${as('btn')} href="${escaped(boton.url)}">${escaped(boton.texto)}</a>` : '',
    ...despues.map(paragraph),
    `</div><p ${as('soft').replace('0 0 16px', '16px 0 0')}>`,
    [...(frame.pie === undefined ? [] : [escaped(frame.pie)]), ...links].join(' · '),
    '</p></div></body></html>',
  ].join('\n');
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign]!);
