import { textsFor } from './languages.js';

const langFor = (acceptLanguage?: string, query: unknown = {}) =>
  textsFor({ headers: { 'accept-language': acceptLanguage }, query }).lang;

describe('the language of the recipient’s page', () => {
  it.each([
    [undefined, 'es'],
    ['', 'es'],
    ['*', 'es'],
    ['es-GT', 'es'],
    ['en', 'en'],
    ['en-US,en;q=0.9', 'en'],
    ['EN-gb', 'en'],
    ['en-US,en;q=0.9,es;q=0.8', 'en'],
    ['es-GT,es;q=0.9,en;q=0.8', 'es'],
    ['en;q=0.5, es;q=0.7', 'es'],
    ['en;q=0, es;q=0.1', 'es'],
    ['en;q=0', 'es'],
    ['fr-FR, en;q=0.3', 'en'],
    ['quc, fr', 'es'],
    ['en; q=0.9 , es ; q=0.95', 'es'],
    ['english, toString, __proto__', 'es'],
    [';;,,=q', 'es'],
    ['en;q=x', 'en'],
  ])('is that which the browser likes best, else Spanish: %s', (header, lang) =>
    expect(langFor(header)).toBe(lang),
  );

  it.each([
    [{ idioma: 'en' }, 'es', 'en'],
    [{ idioma: 'es' }, 'en', 'es'],
    [{ idioma: 'fr' }, 'en', 'en'],
    [{ idioma: 'toString' }, 'es', 'es'],
    [{ idioma: ['en', 'es'] }, 'es', 'es'],
    [null, 'en', 'en'],
  ])('is the chosen one, where there is it: %j, %s', (query, header, lang) =>
    expect(langFor(header, query)).toBe(lang),
  );
});
