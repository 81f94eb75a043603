import { LINK, LINK_WITHOUT_PLACE, startConfirmationHarness } from '../support/confirmation-harness.js';
import type { ConfirmationHarness } from '../support/confirmation-harness.js';

const HTML = 'text/html; charset=utf-8';
const PLACE = { lat: 14.834999, lng: -91.518069 };

describe('the recipient’s page', () => {
  let harness: ConfirmationHarness;

  beforeAll(async () => {
    harness = await startConfirmationHarness({ TRUST_PROXY: '127.0.0.1' });
  });
  beforeEach(() => {
    address += 1;
    harness.answers.length = 0;
  });
  afterAll(() => harness.close());

  /** Last part of the address that a test's requests come from: guesses are counted per address. */
  let address = 0;
  const get = (path: string, init: RequestInit = {}) =>
    fetch(harness.url + path, {
      ...init,
      headers: { 'x-forwarded-for': `203.0.113.${address}`, ...init.headers },
    });
  const postForm = (path: string, fields: Record<string, string>) =>
    get(path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'error' });
  const postJson = (path: string, body: unknown) =>
    get(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });

  it('opens with the parameters that chats and social networks append to links', async () => {
    expect((await get(`${await harness.open()}?fbclid=IwAR0&utm_source=whatsapp`)).status).toBe(200);
  });

  describe('in English', () => {
    const english = { 'accept-language': 'en-US,en;q=0.9,es;q=0.8' };

    it('where the browser asks for it, with a link to Spanish', async () => {
      const page = await (await get(await harness.open(), { headers: english })).text();
      expect(page).toContain('<html lang="en">');
      expect(page).toContain('Where should we deliver your parcel?');
      expect(page).toContain('href="?idioma=es" lang="es" hreflang="es">Español</a>');
      const missing = await (await get('/c/unknown', { headers: english })).text();
      expect(missing).toContain('This link is not available');
    });

    it('where it was chosen, whatever the browser asks for, also after an error and a confirmation', async () => {
      const path = `${await harness.open()}?idioma=en`;
      const spanish = { 'accept-language': 'es-GT' };
      expect(await (await get(path, { headers: spanish })).text()).toContain('Where should we deliver');
      const post = (fields: Record<string, string>) =>
        get(path, { method: 'POST', body: new URLSearchParams(fields), headers: spanish });
      const refused = await post({ lat: '95', lng: '-91.5' });
      expect(refused.status).toBe(400);
      const page = await refused.text();
      expect(page).toContain('Check the latitude');
      // Without an address of its own, the form keeps that of the page.
      expect(page).toMatch(/<form method="post" id="form"/);
      expect(page).not.toContain('action=');
      expect(await (await post({ lat: '14.834999', lng: '-91.518069' })).text()).toContain(
        'You have confirmed',
      );
    });
  });

  describe('answered by a form', () => {
    it.each<[string, Record<string, string>, number, string]>([
      ['nothing', {}, 400, 'Dinos dónde entregar'],
      ['half a pair', { lat: '14.6' }, 400, 'Falta la longitud'],
      ['words for numbers', { lat: 'norte', lng: '-90' }, 400, 'La latitud debe ser un número'],
      ['a link without a place', { maps_url: LINK_WITHOUT_PLACE }, 422, 'no dice el punto exacto'],
      ['a long reference', { maps_url: 'x', referencia: 'x'.repeat(501) }, 400, 'caben 500 letras'],
      ['an unknown field', { maps_url: 'x', estado: 'x' }, 400, 'No pudimos leer lo que enviaste'],
    ])('says what to correct and keeps what was typed: %s', async (_, fields, status, text) => {
      const answer = await postForm(await harness.open(), fields);
      expect(answer.status).toBe(status);
      expect(answer.headers.get('content-type')).toBe(HTML);
      const page = await answer.text();
      expect(page).toContain(text);
      for (const [name, value] of Object.entries(fields))
        if (name !== 'estado') expect(page).toContain(value);
      expect(harness.answers).toEqual([]);
    });

    it('shows an error on the page for a request without a body', async () => {
      const answer = await get(await harness.open(), { method: 'POST' });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('role="alert"');
    });
  });

  describe('limits', () => {
    it('guesses to 30 a minute per address; existing links keep working', async () => {
      const path = await harness.open();
      const statuses: number[] = [];
      for (let i = 0; i < 31; i++) statuses.push((await get(`/c/guess-${i}`)).status);
      expect(statuses).toEqual([...Array<number>(30).fill(404), 429]);
      const busy = await get('/c/guess');
      expect(busy.headers.get('content-type')).toBe(HTML);
      expect(Number(busy.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await (await postJson('/c/guess', PLACE)).json()).toMatchObject({
        codigo: 'demasiadas_solicitudes',
      });
      expect((await get(path)).status).toBe(200);
      expect((await postForm(path, { maps_url: LINK })).status).toBe(200);
    });

    it('answers to 30 a minute per link; other links keep working', async () => {
      const path = await harness.open();
      for (let i = 0; i < 30; i++) expect((await postJson(path, PLACE)).status).toBe(200);
      expect((await postForm(path, { maps_url: LINK })).status).toBe(429);
      expect((await get(path)).status).toBe(200);
      expect((await postJson(await harness.open(), PLACE)).status).toBe(200);
    });
  });

  it('loads its files from its own origin, compressed and cacheable for good', async () => {
    const page = await (await get(await harness.open())).text();
    const files = [...page.matchAll(/"(\/c\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    expect(files).toHaveLength(5);
    for (const path of files) {
      const answer = await get(path, { headers: { 'accept-encoding': 'gzip' } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-encoding')).toBe('gzip');
      expect(answer.headers.get('cache-control')).toContain('immutable');
      expect(answer.headers.get('content-type')).toMatch(/^text\/(css|javascript); charset=utf-8$/);
    }
    expect((await get('/c/assets/page.js?v=1&v=2')).headers.get('cache-control')).toBe('no-store');
    for (const path of ['/c/assets/none.js', '/c/assets/..%2fpage.js', '/c/assets/constructor'])
      expect((await get(path)).status).toBe(404);
  });
});
