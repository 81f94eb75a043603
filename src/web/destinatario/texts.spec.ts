import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloneElement, toChildArray, type VNode } from 'preact';
import { ASKING } from '../../../test/support/page-model.js';
import { GUIA_ESTADOS } from '../../guias/guia/guia-estado.js';
import { MOTIVO_CODES } from '../../guias/guia/guia-motivo.js';
import { renderConfirmationPage } from './confirmation-page.js';
import { renderErrorPage } from './error-pages.js';
import { toPageError } from './page-error.js';
import type { Field } from './fault-texts.js';
import type { PageModel } from './page-model.js';
import { placeQuestion } from './place-question.js';
import { EN, ES, type PageTexts } from './texts.js';
import { AppError } from '../../platform/errors/app-error.js';

/** A language of one letter. Names of parts, in braces, stay. */
const foreign = (text: string) => text.replace(/\{\w+\}|\p{L}/gu, (part) => (part.length > 1 ? part : 'ж'));

/** Not read by people. */
const CODES = ['lang', 'locale'];

function translated(value: unknown): unknown {
  if (typeof value === 'string') return foreign(value);
  if (typeof value === 'function')
    return (...parts: unknown[]) => {
      const made: unknown = (value as (...parts: unknown[]) => unknown)(...parts);
      if (typeof made === 'string') return foreign(made);
      const { children } = (made as VNode<{ children: VNode[] }>).props;
      const spoken = toChildArray(children).map((one) => (typeof one === 'string' ? foreign(one) : one));
      return cloneElement(made as VNode<{ children: unknown }>, {}, ...spoken);
    };
  if (Array.isArray(value)) return value.map(translated);
  return Object.fromEntries(
    Object.entries(value as object).map(([name, one]) => [
      name,
      CODES.includes(name) ? one : translated(one),
    ]),
  );
}

const FOREIGN = translated(ES) as PageTexts;

const MODEL: PageModel = {
  ...ASKING,
  texts: FOREIGN,
  comercio: '1',
  municipio: '2',
  contenido: '3',
  cobro: '349.50',
  pasos: GUIA_ESTADOS.map((estado) => ({ estado, en: '2026-11-21T15:04:05.123Z', motivo: null })),
  isTest: true,
  destino: { lat: 14.5, lng: -91.5 },
};
const CONFIRMED: Partial<PageModel> = { isKnown: true, isConfirmed: true };
const FAILED: PageModel['pasos'] = [
  { estado: 'intento_fallido', en: '2026-11-21T15:04:05.123Z', motivo: 'ausente' },
];

const fault = (campo: string, codigo: string) =>
  toPageError(
    new AppError('validacion', { errores: [{ campo, codigo: codigo as 'formato', mensaje: '' }] }),
    FOREIGN,
    false,
    {},
  );
const closed = (isDenial: boolean) => toPageError(new AppError('guia_no_modificable'), FOREIGN, isDenial, {});
const asked = (codigo: 'precision_baja' | 'lugar_cambiado', distancia_m?: number) =>
  toPageError(new AppError(codigo, { members: { distancia_m } }), FOREIGN, false, { precision_m: '850' });
const AT = { pais: 'GT', municipio: 'Mixco', centro: MODEL.cerca, cerca: MODEL.cerca } as const;
const swapped = () => placeQuestion({ lat: '-90.5', lng: '14.6' }, AT, FOREIGN)!;

const PAGES: [string, string][] = [
  ...(
    [
      ['open', {}],
      ['confirmed', CONFIRMED],
      ['far away', { ...CONFIRMED, isFar: true }],
      ['no longer correctable', { ...CONFIRMED, takesAnswers: false }],
      [
        'corrected too often',
        { ...CONFIRMED, takesAnswers: false, correctableFrom: '2026-11-21T15:04:05.123Z' },
      ],
      [
        'asked again',
        { ...CONFIRMED, estado: 'intento_fallido', pasos: FAILED, asksAgain: true, hasFailed: true },
      ],
      ['back at the depot', { ...CONFIRMED, estado: 'recogido', takesAnswers: false, pasos: FAILED }],
      ['not received', { estado: 'entregado', takesAnswers: false, pagado: '349.50', canReport: true }],
      ['reported', { estado: 'entregado', takesAnswers: false, isReported: true }],
      ['denied', { isDenied: true }],
      ['denied and closed', { isDenied: true, takesAnswers: false }],
      ['with swapped coordinates', { error: swapped() }],
      ['with a place far away', { error: placeQuestion({ lat: '16.9', lng: '-89.9' }, AT, FOREIGN) }],
      ['with a place abroad', { error: placeQuestion({ lat: '40.4', lng: '-3.7' }, AT, FOREIGN) }],
      ['without a minus', { error: placeQuestion({ lat: '14.6', lng: '90.5' }, AT, FOREIGN) }],
      ...MOTIVO_CODES.map((motivo): [string, Partial<PageModel>] => [
        motivo,
        {
          estado: 'intento_fallido',
          takesAnswers: false,
          pasos: [{ estado: 'intento_fallido', en: '2026-11-21T15:04:05.123Z', motivo }],
        },
      ]),
      ['with a minus too many', { error: placeQuestion({ lat: '-14.6', lng: '-90.5' }, AT, FOREIGN) }],
      ['with an imprecise place', { error: asked('precision_baja') }],
      ['with a place that another one has replaced', { ...CONFIRMED, error: asked('lugar_cambiado', 2_000) }],
      ['about a place that another one has replaced', { ...CONFIRMED, error: asked('lugar_cambiado') }],
      ['with a note', { nota: '1' }],
      ['with an error of no field', { error: fault('x', 'formato') }],
      ['closed meanwhile', { error: closed(false), takesAnswers: false }],
      ['ended meanwhile', { error: closed(true), takesAnswers: false }],
      ['a correction with an error', { error: fault('lat', 'tipo'), ...CONFIRMED }],
      ...GUIA_ESTADOS.map((estado): [string, Partial<PageModel>] => [
        estado,
        { estado, takesAnswers: false },
      ]),
      ...(Object.keys(ES.fault.of) as Field[]).flatMap((field) =>
        Object.keys(ES.fault.of[field]).map((code): [string, Partial<PageModel>] => [
          `${field}: ${code}`,
          { error: fault(field, code) },
        ]),
      ),
    ] as [string, Partial<PageModel>][]
  ).map(([name, over]): [string, string] => [name, renderConfirmationPage({ ...MODEL, ...over })]),
  ...(['missing', 'busy', 'away'] as const).map((why): [string, string] => [
    why,
    renderErrorPage(FOREIGN, why),
  ]),
];

/** Attributes that people read or hear. */
const SPOKEN =
  /\b(?:aria-label|title|placeholder|alt|data-texts)="([^"]*)"|"og:(?:title|description)" content="([^"]*)"/g;

/** Everything that a person reads on a page, but for times and "WhatsApp". */
function wordsOf(page: string): string[] {
  const body = page.replace(/<time[^>]*data-local[^>]*>[^<]*<\/time>/g, '');
  const texts = body.replace(/<(?:"[^"]*"|[^">])*>/g, '\n').split('\n');
  const spoken = [...page.matchAll(SPOKEN)].map(([, one, other]) =>
    (one ?? other!).replace(/&quot;(?:\w+)&quot;:|&quot;es(?:-419)?&quot;|\{\w+\}/g, ' '),
  );
  return [...texts, ...spoken].flatMap((text) => text.replace(/&\w+;/g, ' ').match(/\p{L}+/gu) ?? []);
}

describe('English', () => {
  it('is no Spanish, but for its own name', () => {
    const english = JSON.stringify({ ...EN, other: null });
    expect(english).not.toMatch(/[áéíóúñ¿¡«»]/i);
    expect(english).not.toMatch(/\b(tu|paquete|enlace|tienda|mensajero)\b/i);
  });

  it('keeps the named parts of a sentence', () => {
    const partsOf = (texts: PageTexts) =>
      Object.entries(texts.script).map(([name, text]) => [
        name,
        (typeof text === 'string' ? text : JSON.stringify(text)).match(/\{\w+\}/g)?.sort() ?? [],
      ]);
    expect(partsOf(EN)).toEqual(partsOf(ES));
  });
});

describe('another language of the page', () => {
  it.each(PAGES)('is one object of texts: nothing else is read on the page %s', (_, page) => {
    const words = wordsOf(page);
    expect(words.length).toBeGreaterThan(5);
    expect(words.filter((word) => !/^ж+$/.test(word))).toEqual([]);
  });

  /** Texts for people begin with a capital letter, or have letters that codes do not. */
  it.each(['browser/place-form.ts', '../kit/browser/map.entry.ts', 'browser/help.ts'])(
    'has all that %s says',
    (name) => {
      const source = readFileSync(join(import.meta.dirname, name), 'utf8');
      const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
      const literals = [...code.matchAll(/'([^'\n]*)'|`([^`]*)`/g)].map(([, one, other]) => one ?? other!);
      expect(literals.length).toBeGreaterThan(9);
      expect(literals.filter((text) => /[^ -~]|^[A-Z][a-z]+( |$)/.test(text))).toEqual([]);
    },
  );
});
