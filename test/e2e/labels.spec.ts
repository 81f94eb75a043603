import { LONGEST, SHORTEST } from '../support/label-rows.js';
import { DESTINO, Labels, pagesOf, USUAL, type Made } from '../support/labels.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { createTestApp, type Answer } from '../support/test-app.js';
import { opened, useSharedApp } from '../support/use.js';

const UNKNOWN = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';

describe('labels', () => {
  const test = useSharedApp();
  let labels: Labels;
  let usual: Made;
  let shortest: Made;
  let longest: Made;
  let ofOther: Made;

  const merchant = opened(() => test.merchant());
  const operator = opened(() => test.operator());

  beforeAll(async () => {
    labels = new Labels(test, merchant);
    usual = await labels.make({ ...USUAL, ...DESTINO });
    shortest = await labels.make(SHORTEST);
    longest = await labels.make({ ...LONGEST, ...DESTINO });
    ofOther = await labels.make({ ...USUAL, nombre: 'Otra' }, await test.merchant({ country: 'MX' }));
  });

  describe('over HTTP', () => {
    it('are a PDF of 100 × 150 mm where nothing else is asked for', async () => {
      const { bytes, headers } = await labels.fetch(`/api/v1/guias/${usual.guia}/etiqueta`);
      expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
      expect(bytes.toString('latin1')).toContain('/MediaBox [0 0 283.46');
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'application/pdf',
        'content-length': String(bytes.length),
        'content-disposition': `attachment; filename="guia-${usual.guia}.pdf"`,
        'cache-control': 'private, no-store',
      });
    });

    it('say SIN CONFIRMAR in place of coordinates once the guide has another town than its place', async () => {
      const moved = await labels.make({ ...USUAL, ...DESTINO, external_ref: undefined });
      const zpl = async () => (await labels.of(moved, '?formato=zpl')).toString();
      expect(await zpl()).toContain('MAPA');
      await merchant.patch(`/api/v1/guias/${moved.id}`, { municipio: 'Jocotenango' });
      expect(await zpl()).toMatch(/SIN CONFIRMAR[^]*LLAMAR ANTES/);
      expect(await zpl()).not.toMatch(/MAPA|14\.6407/);
    });

    it('are four to a page of US Letter as carta', async () => {
      const made = await Promise.all(Array.from({ length: 5 }, () => labels.make(SHORTEST)));
      const guias = made.map(({ guia }) => guia);
      const pages = pagesOf(await labels.ofMany({ guias, tamano: 'carta' }));
      expect(pages).toEqual(['612 792', '612 792']);
      expect((await labels.of(usual, '?tamano=carta&formato=png')).subarray(1, 4).toString()).toBe('PNG');
    });

    it.each([
      ['pdf', 'application/pdf', '%PDF-'],
      ['png', 'image/png', '\x89PNG'],
      ['zpl', 'application/zpl; charset=utf-8', '^XA^CI28^PW800^LL800'],
    ])('are %s as %s', async (formato, type, start) => {
      const path = `/api/v1/guias/${usual.id}/etiqueta?formato=${formato}&tamano=100x100`;
      const { bytes, headers } = await labels.fetch(path);
      expect(bytes.toString('latin1').startsWith(start)).toBe(true);
      expect(headers.get('content-type')).toBe(type);
      // Swagger UI shows any other type as text.
      const how = formato === 'png' ? 'inline' : 'attachment';
      expect(headers.get('content-disposition')).toBe(`${how}; filename="guia-${usual.guia}.${formato}"`);
    });

    it('of many guides have the order asked for, each guide once, named by id or number', async () => {
      const guias = [shortest.guia, usual.id.toUpperCase(), shortest.id, usual.guia, longest.guia];
      const { bytes, headers } = await labels.fetch('/api/v1/etiquetas', { guias, formato: 'zpl' });
      const numbers = [...bytes.toString().matchAll(/\^FD>;(\d+)\^FS/g)].map(([, number]) => number);
      expect(numbers).toEqual([shortest.guia, usual.guia, longest.guia]);
      expect(headers.get('content-disposition')).toBe('attachment; filename="etiquetas-3-guias.zpl"');
    });

    it('are the same bytes each time', async () => {
      for (const query of ['', '?tamano=a4', '?formato=png', '?formato=zpl'])
        expect((await labels.of(usual, query)).equals(await labels.of(usual, query))).toBe(true);
    });

    it('are told by the detail once they are printed, which changes nothing else of the guide', async () => {
      const printed = await labels.make({ ...USUAL, ...DESTINO, external_ref: undefined });
      const path = `/api/v1/guias/${printed.id}`;
      const before = await merchant.get(path);
      expect(before.body.guia.impresa_en).toBeNull();
      const headers = { authorization: `Bearer ${merchant.key}` };
      expect((await test.request(`${path}/etiqueta`, { method: 'HEAD', headers })).status).toBe(200);
      expect((await merchant.get(path)).body.guia.impresa_en).toBeNull();
      await labels.of(printed);
      const first = await merchant.get(path);
      expect(first.body.guia).toEqual({ ...before.body.guia, impresa_en: expect.stringMatching(/^20.+Z$/) });
      expect(first.headers.get('etag')).toBe(before.headers.get('etag'));
      await labels.fetch('/api/v1/operaciones/etiquetas', { guias: [printed.id, usual.id] }, operator);
      const again = (await merchant.get(path)).body.guia;
      expect(again.impresa_en > first.body.guia.impresa_en).toBe(true);
      expect(again).toEqual({ ...before.body.guia, impresa_en: again.impresa_en });
      const { body } = await merchant.get('/api/v1/guias?limit=1');
      expect(Object.keys(body.guias[0])).not.toContain('impresa_en');
    });

    it('of other merchants are 404 for a merchant, and available to an operator', async () => {
      expectProblem(await merchant.get(`/api/v1/guias/${ofOther.id}/etiqueta`), 'no_encontrado');
      const path = `/api/v1/operaciones/guias/${ofOther.id}/etiqueta?formato=zpl`;
      expect((await labels.fetch(path, undefined, operator)).bytes.toString()).toContain('COBRAR $ 349.50');
      const body = { guias: [ofOther.guia, usual.guia], formato: 'zpl' };
      const both = (await labels.fetch('/api/v1/operaciones/etiquetas', body, operator)).bytes.toString();
      expect(both).toMatch(/COBRAR \$ 349\.50[^]*COBRAR Q 349\.50/);
    });

    it('are rejected as a whole if a guide does not exist, and the error names each such guide', async () => {
      const guias = [usual.id, UNKNOWN, ofOther.guia, 'pedido-1042'];
      const answer = await merchant.post('/api/v1/etiquetas', { guias });
      expectProblem(answer, 'no_encontrado');
      for (const name of guias.slice(1)) expect(answer.body.detail).toContain(name);
      expect(answer.body.detail).not.toContain(usual.id);
      expect(answer.body.errores.map((error: { campo: string }) => error.campo)).toEqual([
        'guias.1',
        'guias.2',
        'guias.3',
      ]);
      expectProblem(
        await operator.post('/api/v1/operaciones/etiquetas', { guias: [UNKNOWN] }),
        'no_encontrado',
      );
    });

    it.each([
      ['formato=doc', ['formato: formato']],
      ['formato=zpl&tamano=a4', ['tamano: formato']],
      ['formato=zpl&tamano=carta', ['tamano: formato']],
    ] as const)('are refused with ?%s', async (query, faults) => {
      expectFaults(await merchant.get(`/api/v1/guias/${usual.id}/etiqueta?${query}`), [...faults]);
    });

    const number = '931637862414';
    it.each([
      ['without a list', {}, ['guias: requerido']],
      ['with 101 guides', { guias: Array(101).fill(number) }, ['guias: fuera_de_rango']],
      ['with lists and objects', { guias: [null, {}, [number]] }, ['guias: tipo']],
      ['as ZPL on A4', { guias: [number], formato: 'zpl', tamano: 'a4' }, ['tamano: formato']],
      ['as one PNG', { guias: [number, UNKNOWN], formato: 'png' }, ['formato: formato']],
    ] as const)('of many are refused %s', async (_, body, faults) => {
      expectFaults(await merchant.post('/api/v1/etiquetas', body), [...faults]);
    });

    it('say what to do where format and size do not go together', async () => {
      const messageOf = (answer: Answer) => answer.body.errores[0].mensaje;
      const onA4 = await merchant.get(`/api/v1/guias/${usual.id}/etiqueta?formato=zpl&tamano=a4`);
      expect(messageOf(onA4)).toContain('`100x150`');
      const pngs = await merchant.post('/api/v1/etiquetas', {
        guias: [usual.id, shortest.id],
        formato: 'png',
      });
      expect(messageOf(pngs)).toContain('`pdf` o `zpl`');
    });
  });

  it('are 503 past the response deadline', async () => {
    const late = await createTestApp({ database: test.database, timeLimits: { answer: 0 } });
    try {
      const answer = await late.request(`/api/v1/guias/${usual.id}/etiqueta`, {
        headers: { authorization: `Bearer ${merchant.key}` },
      });
      expectProblem(answer, 'no_disponible');
    } finally {
      await late.close();
    }
  });
});
