import fc from 'fast-check';
import { ASKING } from '../../../test/support/page-model.js';
import { FINAL_ESTADOS, GUIA_ESTADOS } from '../../guias/guia/guia-estado.js';
import { MOTIVO_CODES, type Motivo } from '../../guias/guia/guia-motivo.js';
import { renderConfirmationPage } from './confirmation-page.js';
import { renderErrorPage } from './error-pages.js';
import { pageHeaders } from './page-headers.js';
import type { PageModel } from './page-model.js';
import { ES } from './texts.js';

const AT = '2026-11-21T15:19:05.123Z';
const CONFIRMED = { isKnown: true, isConfirmed: true } as const;
const POSTED = { maps_url: 'https://enlace.example', lat: '14,83', lng: '-91,51', referencia: 'Casa\nazul' };
const ERROR = { text: 'Ese enlace ya no funciona.', field: 'maps_url' } as const;

const HOSTILE = [
  ...['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "' autofocus onfocus='alert(1)"],
  ...['</textarea></title></style><svg onload=alert(1)>', '&lt;b&gt; & <b>', '${alert(1)} `x`'],
];

const render = (over: Partial<PageModel> = {}) => renderConfirmationPage({ ...ASKING, ...over });
/** The tags of a page with the names of their attributes, in order. */
const skeleton = (page: string) =>
  [...page.matchAll(/<(?:"[^"]*"|[^">])*>/g)].map(([tag]) => tag.replace(/="[^"]*"/g, ''));
const unescape = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (entity) => {
    const characters: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };
    return characters[entity] ?? "'";
  });
const attribute = (page: string, id: string, name: string) => {
  const tag = new RegExp(`<[^>]*\\bid="${id}"(?:"[^"]*"|[^">])*>`).exec(page)?.[0] ?? '';
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescape(value);
};

describe('a value on the page', () => {
  const hostile = (text: string): Partial<PageModel> => ({
    comercio: text,
    guia: text,
    municipio: text,
    error: { text, field: 'referencia' },
    posted: { maps_url: text, lat: text, lng: text, referencia: text },
    tiles: { streets: { url: text, attribution: text }, satellite: { url: text, attribution: text } },
  });

  it.each(HOSTILE)('is escaped: %s', (text) => {
    const page = render(hostile(text));
    expect(skeleton(page)).toEqual(skeleton(render(hostile('x'))));
    expect(unescape(page).split(text).length - 1).toBe(13);
    expect(attribute(page, 'lat', 'value')).toBe(text);
  });

  it('is escaped, whatever text it is', () => {
    const harmless = skeleton(render(hostile('x')));
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(skeleton(render(hostile(text)))).toEqual(harmless);
      }),
    );
  });

  it('is not in the head, from which chats make their previews', () => {
    const head = render({ comercio: 'Comercio Tal', municipio: 'Mixco' }).split('</head>')[0]!;
    expect(head).toContain('property="og:title"');
    expect(head).not.toMatch(/Comercio Tal|Mixco|4839/);
  });
});

describe('a page', () => {
  const PAGES: [string, string][] = [
    ['open', render()],
    ['with an error', render({ error: ERROR, posted: POSTED })],
    ['confirmed', render(CONFIRMED)],
    ['denied', render({ isDenied: true })],
    ['ended', render({ estado: 'entregado', takesAnswers: false })],
    [
      'with swapped coordinates',
      render({ error: { ...ERROR, field: null, meant: { lat: 14.6, lng: -90.5 }, isPossible: true } }),
    ],
    ['missing', renderErrorPage(ES, 'missing')],
    ['busy', renderErrorPage(ES, 'busy')],
    ['away', renderErrorPage(ES, 'away')],
  ];

  it.each(PAGES)(
    '%s is in Spanish, has one heading and nothing inline, which the policy would refuse',
    (_, page) => {
      expect(page).toMatch(/^<!doctype html>\s*<html lang="es">/);
      expect(page.match(/<h1>/g)).toHaveLength(1);
      expect(page).not.toMatch(/<style|style=|<script(?![^>]* src=)|\son\w+=|javascript:/);
      expect(page).not.toMatch(/(?:src|href|action)="(?:https?:)?\/\/(?!wa\.me\/)/);
    },
  );

  it.each(PAGES)(
    '%s is painted before its script is there, and its icons are small without styles',
    (_, page) => {
      for (const [script] of page.matchAll(/<script[^>]*>/g)) expect(script).toContain(' defer');
      for (const [icon] of page.matchAll(/<svg[^>]*>/g)) expect(icon).toMatch(/ width="\d\d" height="\d\d"/);
    },
  );

  it.each(PAGES)('%s uses each id once', (_, page) => {
    const ids = [...page.matchAll(/\bid="([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
  });

  it.each(PAGES)('%s labels every field and refers to existing ids only', (_, page) => {
    const ids = new Set([...page.matchAll(/\bid="([^"]*)"/g)].map(([, id]) => id));
    const references = [...page.matchAll(/\b(?:for|aria-describedby)="([^"]*)"/g)].flatMap(([, to]) =>
      to!.split(' '),
    );
    expect(references.filter((to) => !ids.has(to))).toEqual([]);
    for (const [, id] of page.matchAll(/<(?:input|textarea)\s+id="([^"]*)"/g))
      expect(page).toContain(`<label for="${id}">`);
  });
});

describe('a merchant with a phone for its recipients', () => {
  const CLOSED = { text: 'Ya no se puede cambiar.', field: null };
  const STATES: [string, Partial<PageModel>][] = [
    ['the form', {}],
    ['the form with an error', { error: ERROR, posted: POSTED }],
    ['just confirmed', CONFIRMED],
    ['denied', { isDenied: true }],
    ...GUIA_ESTADOS.map((estado): [string, Partial<PageModel>] => [estado, { estado, takesAnswers: false }]),
    ['closed meanwhile', { takesAnswers: false, error: CLOSED }],
  ];

  it.each(STATES)('is one tap away: %s', (_, over) => {
    const [link] = /<a[^>]*wa\.me[^>]*>/.exec(render(over)) ?? [];
    expect(link).toContain('href="https://wa.me/50255551234"');
    expect(link).toContain('referrerpolicy="no-referrer"');
    expect(render({ ...over, contacto: null })).not.toMatch(/wa\.me|scríbele|scribirle|WhatsApp/i);
  });
});

describe('what is paid on delivery', () => {
  it.each(GUIA_ESTADOS)('is shown while it is still to be paid: %s', (estado) => {
    const isOver = [...FINAL_ESTADOS, 'en_devolucion'].includes(estado);
    expect(render({ estado, takesAnswers: false }).includes('Q 349.50')).toBe(!isOver);
  });

  it.each([
    ['efectivo', 'Pagaste en efectivo'],
    ['tarjeta', 'Pagaste con tarjeta'],
    ['transferencia', 'Pagaste por transferencia'],
    [null, 'Pagaste en efectivo'],
  ] as const)('is told afterwards as it was paid: %s', (pago, text) => {
    expect(render({ estado: 'entregado', takesAnswers: false, pagado: 'Q 349.50', pago })).toContain(text);
  });
});

describe('a recipient to whom the parcel does not belong', () => {
  const button = 'name="niega" value="si"';

  it.each(GUIA_ESTADOS)('can say so unless the guide has ended, asked once: %s', (estado) => {
    const page = render({ estado, takesAnswers: false });
    expect(page.includes(button)).toBe(!FINAL_ESTADOS.includes(estado));
    expect(page.split('<details').some((part) => part.includes('No soy yo') && part.includes(button))).toBe(
      !FINAL_ESTADOS.includes(estado),
    );
  });

  it('sees afterwards what was done, and neither the place nor the way of the parcel', () => {
    const page = render({ isDenied: true, destino: { lat: 14.5, lng: -91.5 }, takesAnswers: false });
    expect(page).toContain('<h1>Le avisamos a la tienda</h1>');
    expect(page).not.toMatch(/14\.5|-91\.5|id="progress"|name="(?:lat|maps_url)"/);
    expect(render({ isDenied: true })).not.toContain('Q 349.50');
    expect(render({ isDenied: true })).toContain('Fue un error, sí lo espero');
  });
});

describe('a failed attempt', () => {
  const FAILED = (motivo: Motivo | null): Partial<PageModel> => ({
    estado: 'intento_fallido',
    takesAnswers: false,
    pasos: [{ estado: 'intento_fallido', en: AT, motivo }],
  });
  const failed = (motivo: Motivo | null) => render(FAILED(motivo));

  it('asks again for the place, the landmark and a note, with what is saved', () => {
    const place = { ...CONFIRMED, destino: { lat: 14.5, lng: -91.5 }, referencia: 'Casa azul' };
    const again = { ...FAILED('ausente'), ...place, takesAnswers: true, hasFailed: true };
    const page = render({ ...again, asksAgain: true });
    expect(page).toContain('<h1>No había quien recibiera</h1>');
    expect(page).toContain('>\nCasa azul</textarea>');
    expect(page).toContain('name="nota"');
    expect(page).toContain('Avisarle al mensajero');
    expect(page).toContain('data-known');
    const answered = render({ ...again, nota: 'Toque fuerte' });
    expect(answered).toContain('El mensajero leerá lo que nos dijiste.');
    expect(answered).toContain('<bdi>Toque fuerte</bdi>');
  });

  it.each(MOTIVO_CODES)('says why, in words, as what happened and as a step: %s', (motivo) => {
    expect(failed(motivo).split(ES.motivos[motivo].why.replace(/\.$/, ''))).toHaveLength(3);
  });

  it.each(['rechazado', 'fuera_de_cobertura', 'zona_insegura', 'direccion_incorrecta'] as const)(
    'promises no other attempt where it may not help, but says whom to write to: %s',
    (motivo) => {
      const page = failed(motivo);
      expect(page).not.toContain('Lo intentarán de nuevo');
      expect(page).toMatch(/<p class="lead">[^<]*escríbele[^<]*<\/p>/);
      expect(render({ ...FAILED(motivo), contacto: null })).not.toMatch(/scríbele/);
    },
  );

  it('says what happens next where the courier gave no reason', () => {
    expect(failed(null)).toContain('<h1>No pudimos entregarte el paquete</h1>');
    expect(failed(null)).toContain('<p class="lead">Lo intentarán de nuevo.');
  });
});

describe('a question about the place', () => {
  it('says where the parcel is, once it is somewhere else', () => {
    expect(render({ estado: 'en_ruta' })).toContain('<p class="lead">Tu paquete va en camino.</p>');
    const pasos: PageModel['pasos'] = [{ estado: 'intento_fallido', en: AT, motivo: 'direccion_incorrecta' }];
    expect(render({ estado: 'intento_fallido', pasos })).toContain(
      '<p class="lead">No pudimos entregarte el paquete. No encontramos tu casa.</p>',
    );
    expect(render({ estado: 'en_ruta', error: ERROR })).not.toContain('va en camino');
  });
});

describe('a test guide', () => {
  it.each(GUIA_ESTADOS)('says that no parcel arrives: %s', (estado) => {
    expect(render({ estado, takesAnswers: false, isTest: true })).toContain(
      'Guía de prueba: no llegará ningún paquete.',
    );
    expect(render({ estado, takesAnswers: false })).not.toContain('Guía de prueba');
  });
});

describe('long contents', () => {
  const long = 'Zapatos de cuero, talla 38; '.repeat(10).trim();

  it('are folded, with all of the text inside once', () => {
    const page = render({ contenido: long });
    expect(page).toContain(`<details class="long"><summary><bdi>${long}</bdi>`);
    expect(render()).not.toContain('class="long"');
  });
});

describe('the preview of a link', () => {
  it.each(FINAL_ESTADOS)('asks for nothing once the parcel is %s', (estado) => {
    const page = render({ estado, takesAnswers: false });
    expect(page).toContain('property="og:title" content="Tu paquete"');
    expect(page).toContain('property="og:description" content="Mira cómo va tu paquete."');
  });
});

describe('the form', () => {
  it('posts to the address it was opened at', () => {
    const [form] = /<form[^>]*>/.exec(render())!;
    expect(form).toContain('method="post"');
    expect(form).not.toContain('action=');
  });

  it('names its fields as the API does', () => {
    const names = [...render().matchAll(/<(?:input|textarea)[^>]*\sname="([^"]*)"/g)].map(([, name]) => name);
    expect(names).toEqual([
      ...['maps_url', 'lat', 'lng', 'referencia', 'nota'],
      ...['version', 'precision_m', 'precision_aceptada'],
    ]);
  });

  it('shows what was posted after an error, marks the field and links to it', () => {
    const page = render({ error: ERROR, posted: POSTED });
    expect(page).toMatch(/role="alert"[^>]*autofocus/);
    expect(page).toContain(ERROR.text);
    expect(page).toContain('href="#maps_url"');
    expect(attribute(page, 'maps_url', 'aria-invalid')).toBe('true');
    expect(attribute(page, 'maps_url', 'aria-describedby')).toContain('error-text');
    expect(page).toContain(`>\n${POSTED.maps_url}</textarea>`);
    expect(attribute(page, 'lat', 'value')).toBe(POSTED.lat);
    expect(attribute(page, 'lng', 'value')).toBe(POSTED.lng);
    expect(page).toContain('>\nCasa\nazul</textarea>');
    expect(page.match(/aria-invalid/g)).toHaveLength(1);
  });

  it('marks no field after an error of none', () => {
    const page = render({ error: { text: 'Algo falló.', field: null } });
    expect(page).toContain('Algo falló.');
    expect(page).not.toContain('aria-invalid');
  });

  it('has data about tiles only where they are configured', () => {
    const streets = { url: 'https://t.example/{z}/{x}/{y}.png', attribution: '© <a href="/x">Mapas</a>' };
    const satellite = { url: 'https://s.example/{z}/{x}/{y}.jpg', attribution: '© Fotos' };
    const page = render({ tiles: { streets, satellite } });
    expect(attribute(page, 'form', 'data-tiles')).toBe(streets.url);
    expect(attribute(page, 'form', 'data-attribution')).toBe(streets.attribution);
    expect(attribute(page, 'form', 'data-satellite')).toBe(satellite.url);
    expect(attribute(page, 'form', 'data-satellite-attribution')).toBe(satellite.attribution);
    expect(render({ tiles: { streets, satellite: null } })).not.toContain('data-satellite');
    expect(render()).not.toMatch(/data-(tiles|satellite)|attribution/);
  });
});

describe('the confirmed page', () => {
  const page = render({ ...CONFIRMED, posted: POSTED });

  it('says until when the place may be corrected', () => {
    expect(page).toContain('<h1>Ya confirmaste</h1>');
    expect(page).toContain('Puedes cambiarla hasta que el mensajero salga.');
    expect(page).toContain('Corregir la ubicación');
  });

  it('says when it can be corrected again', () => {
    const full = render({ ...CONFIRMED, takesAnswers: false, correctableFrom: AT });
    expect(full).toMatch(new RegExp(`Ya la cambiaste 10 veces[^<]*<time datetime="${AT}"`));
    expect(full).not.toContain('<form method="post" id="form"');
  });

  it('shows the landmark that is saved, escaped, and fills it in for a correction', () => {
    const shown = render({ ...CONFIRMED, referencia: 'Casa <b>azul</b>' });
    expect(shown).toContain('<bdi>Casa &lt;b>azul&lt;/b></bdi>');
    expect(shown).toContain('>\nCasa &lt;b>azul&lt;/b></textarea>');
    expect(render()).toContain('>\n</textarea>');
  });

  it('puts the correction of a place that the merchant gave behind a button', () => {
    const given = render({ isKnown: true, destino: { lat: 14.5, lng: -91.5 } });
    expect(given).toContain('<h1>Tu paquete se está preparando</h1>');
    expect(given).toMatch(/<details class="correction">.*id="form"/s);
  });

  it.each(GUIA_ESTADOS)('says what was saved as long as the link lives, also in %s', (estado) => {
    const saved = { ...CONFIRMED, destino: { lat: 14.5, lng: -91.5 }, referencia: 'Casa azul' };
    const later = render({ ...saved, takesAnswers: false, estado });
    expect(later).toContain('Ya confirmaste dónde entregar.');
    expect(later).toContain('Casa azul');
  });

  it('shows the form again when a correction has an error', () => {
    const again = render({ ...CONFIRMED, error: ERROR, posted: POSTED });
    expect(again).toContain('<h1>Corrige la ubicación</h1>');
    expect(again).toContain(ERROR.text);
    expect(again).toContain(`>\n${POSTED.maps_url}</textarea>`);
  });
});

describe('the headers', () => {
  const tilesOf = (url: string) => ({ url, attribution: '' });
  const policyOf = (url: string | null, satellite?: string) =>
    pageHeaders(
      url === null
        ? null
        : { streets: tilesOf(url), satellite: satellite === undefined ? null : tilesOf(satellite) },
    );

  it('keep the page private and load nothing from other hosts', () => {
    expect(policyOf(null)).toEqual({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      'Permissions-Policy': 'geolocation=(self)',
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex, nofollow',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
  });

  it.each([
    ['https://tile.openstreetmap.org/{z}/{x}/{y}.png', 'https://tile.openstreetmap.org'],
    ['https://{s}.tile.example.org/{z}/{x}/{y}{r}.png', 'https://*.tile.example.org'],
    ['https://tiles-{s}.example.org/{z}/{x}/{y}', 'https://*.example.org'],
    ['http://10.0.0.5:8080/{z}/{x}/{y}.png?key=a,b;c', 'http://10.0.0.5:8080'],
    ['//tile.example.org/{z}/{x}/{y}.png', 'tile.example.org'],
  ])('allow images from the host of the tiles: %s', (url, source) => {
    const headers = policyOf(url);
    expect(headers['Content-Security-Policy']).toContain(`; img-src 'self' data: ${source}; `);
    expect(headers['Referrer-Policy']).toBe('no-referrer');
  });

  it('allow images from the hosts of streets and satellite, each once', () => {
    const [streets, images] = ['https://a.example/{z}/{x}/{y}.png', 'https://b.example/{z}/{x}/{y}.jpg'];
    const policy = (satellite: string) => policyOf(streets, satellite)['Content-Security-Policy'];
    expect(policy(images)).toContain("; img-src 'self' data: https://a.example https://b.example; ");
    expect(policy(streets)).toContain("; img-src 'self' data: https://a.example; ");
  });

  it('allow no other host for tiles of our own origin', () => {
    expect(policyOf('/tiles/{z}/{x}/{y}.png')).toEqual(policyOf(null));
  });
});
