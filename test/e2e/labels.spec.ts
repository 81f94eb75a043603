import { SHEETS } from '../../src/etiquetas/sheets.js';
import { RelayService } from '../../src/events/relay.service.js';
import { inFours } from '../../src/guias/guia-digits.js';
import {
  describeWithReaders,
  pdfOfPngs,
  printZpl,
  rasterOf,
  readCodes,
  readPages,
  textsOf,
  type Raster,
  type Zpl,
} from '../support/label-readers.js';
import { LONGEST, SHORTEST } from '../support/label-rows.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import {
  createTestApp,
  guiaBody,
  type Answer,
  type TestApp,
  type TestMerchant,
  type TestOperator,
} from '../support/test-app.js';

const USUAL = {
  external_ref: 'pedido-1042',
  nombre: 'Ana Lucía Ñáñez Güell',
  telefono: '+50255551234',
  departamento: 'Sacatepéquez',
  municipio: 'Antigua Guatemala',
  direccion: '12 calle 3-45, zona 4, ¿portón negro?',
  referencia: 'Frente a «La Bendición»\na la par de la pila',
  contenido: '2 camisas ^XZ ~JA _5E',
  notas: 'Llamar antes. 📦',
  cod_amount: 349.5,
};

const UNKNOWN = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';

interface Made {
  id: string;
  guia: string;
  hasDestino: boolean;
}

/** The destination of all guides but the shortest, which waits for its recipient. */
const DESTINO = { lat: 14.6407, lng: -90.5133 };

describe('labels', () => {
  let test: TestApp;
  let merchant: TestMerchant;
  let other: TestMerchant;
  let tester: TestMerchant;
  let operator: TestOperator;
  let usual: Made;
  let shortest: Made;
  let longest: Made;
  let ofOther: Made;
  let ofTest: Made;
  let cancelled: Made;

  beforeAll(async () => {
    test = await createTestApp();
    await test.app.get(RelayService).beforeApplicationShutdown();
    [merchant, other] = [await test.merchant(), await test.merchant({ country: 'MX' })];
    operator = await test.operator();
    usual = await make(merchant, { ...USUAL, ...DESTINO });
    shortest = await make(merchant, SHORTEST);
    longest = await make(merchant, { ...LONGEST, ...DESTINO });
    tester = await test.tester(merchant.id);
    ofTest = await make(tester, { ...USUAL, ...DESTINO, external_ref: undefined });
    cancelled = await make(merchant, { ...USUAL, ...DESTINO, external_ref: undefined });
    expect((await merchant.post(`/api/v1/guias/${cancelled.id}/cancelar`)).status).toBe(200);
    ofOther = await make(other, { ...USUAL, nombre: 'Otra' });
  });
  afterAll(() => test.close());

  const make = async (of: TestMerchant, over: Record<string, unknown>): Promise<Made> => {
    const { status, body } = await of.post('/api/v1/guias', guiaBody(over));
    expect({ status, body }).toMatchObject({ status: 201 });
    return { ...body, hasDestino: over.lat !== undefined };
  };

  /** A document and its headers. */
  const fetchLabels = async (key: string, path: string, body?: unknown) => {
    const response = await fetch(test.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status !== 200) throw new Error(`${response.status}: ${bytes.toString()}`);
    return { bytes, headers: response.headers };
  };
  const label = async (guia: Made, query = '', by = merchant) =>
    (await fetchLabels(by.key, `/api/v1/guias/${guia.id}/etiqueta${query}`)).bytes;
  const labels = async (body: Record<string, unknown>) =>
    (await fetchLabels(merchant.key, '/api/v1/etiquetas', body)).bytes;

  describe('over HTTP', () => {
    it('are a PDF of 100 × 150 mm where nothing else is asked for', async () => {
      const { bytes, headers } = await fetchLabels(merchant.key, `/api/v1/guias/${usual.guia}/etiqueta`);
      expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
      expect(bytes.toString('latin1')).toContain('/MediaBox [0 0 283.46');
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'application/pdf',
        'content-length': String(bytes.length),
        'content-disposition': `attachment; filename="guia-${usual.guia}.pdf"`,
        'cache-control': 'private, no-store',
      });
    });

    it.each([
      ['pdf', 'application/pdf', '%PDF-'],
      ['png', 'image/png', '\x89PNG'],
      ['zpl', 'application/zpl; charset=utf-8', '^XA^CI28^PW800^LL800'],
    ])('are %s as %s', async (formato, type, start) => {
      const path = `/api/v1/guias/${usual.id}/etiqueta?formato=${formato}&tamano=100x100`;
      const { bytes, headers } = await fetchLabels(merchant.key, path);
      expect(bytes.toString('latin1').startsWith(start)).toBe(true);
      expect(headers.get('content-type')).toBe(type);
      // Swagger UI shows any other type as text.
      const how = formato === 'png' ? 'inline' : 'attachment';
      expect(headers.get('content-disposition')).toBe(`${how}; filename="guia-${usual.guia}.${formato}"`);
    });

    it('of many guides have the order asked for, each guide once, named by id or number', async () => {
      const guias = [shortest.guia, usual.id.toUpperCase(), shortest.id, usual.guia, longest.guia];
      const { bytes, headers } = await fetchLabels(merchant.key, '/api/v1/etiquetas', {
        guias,
        formato: 'zpl',
      });
      const numbers = [...bytes.toString().matchAll(/\^FD>;(\d+)\^FS/g)].map(([, number]) => number);
      expect(numbers).toEqual([shortest.guia, usual.guia, longest.guia]);
      expect(headers.get('content-disposition')).toBe('attachment; filename="etiquetas-3-guias.zpl"');
    });

    it('are the same bytes each time', async () => {
      for (const query of ['', '?tamano=a4', '?formato=png', '?formato=zpl'])
        expect((await label(usual, query)).equals(await label(usual, query))).toBe(true);
    });

    it('are told by the detail once they are printed, which changes nothing else of the guide', async () => {
      const printed = await make(merchant, { ...USUAL, external_ref: undefined });
      const path = `/api/v1/guias/${printed.id}`;
      const before = await merchant.get(path);
      expect(before.body.guia.impresa_en).toBeNull();
      const headers = { authorization: `Bearer ${merchant.key}` };
      expect((await test.request(`${path}/etiqueta`, { method: 'HEAD', headers })).status).toBe(200);
      expect((await merchant.get(path)).body.guia.impresa_en).toBeNull();
      await label(printed);
      const first = await merchant.get(path);
      expect(first.body.guia).toEqual({ ...before.body.guia, impresa_en: expect.stringMatching(/^20.+Z$/) });
      expect(first.headers.get('etag')).toBe(before.headers.get('etag'));
      await fetchLabels(operator.key, '/api/v1/operaciones/etiquetas', { guias: [printed.id, usual.id] });
      const again = (await merchant.get(path)).body.guia;
      expect(again.impresa_en > first.body.guia.impresa_en).toBe(true);
      expect(again).toEqual({ ...before.body.guia, impresa_en: again.impresa_en });
      const { body } = await merchant.get('/api/v1/guias?limit=1');
      expect(Object.keys(body.guias[0])).not.toContain('impresa_en');
    });

    it('of other merchants are 404 for a merchant, and available to an operator', async () => {
      expectProblem(await merchant.get(`/api/v1/guias/${ofOther.id}/etiqueta`), 'no_encontrado');
      const path = `/api/v1/operaciones/guias/${ofOther.id}/etiqueta?formato=zpl`;
      expect((await fetchLabels(operator.key, path)).bytes.toString()).toContain('COBRAR $ 349.50');
      const body = { guias: [ofOther.guia, usual.guia], formato: 'zpl' };
      const both = (await fetchLabels(operator.key, '/api/v1/operaciones/etiquetas', body)).bytes.toString();
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
    const late = await createTestApp({
      database: test.database,
      timeLimits: { answer: 0 },
    });
    try {
      const answer = await late.request(`/api/v1/guias/${usual.id}/etiqueta`, {
        headers: { authorization: `Bearer ${merchant.key}` },
      });
      expectProblem(answer, 'no_disponible');
    } finally {
      await late.close();
    }
  });

  describeWithReaders('in the hands of real readers', () => {
    const codesOf = ({ guia, hasDestino }: Made) => [
      `CODE-128:${guia}`,
      `QR-Code:${guia}`,
      ...(hasDestino ? [`QR-Code:https://maps.google.com/?q=${DESTINO.lat},${DESTINO.lng}`] : []),
    ];
    const made = () => [usual, shortest, longest];
    const drawn = new Map<string, Promise<Buffer>>();
    /** One PDF of the three, drawn once for each size. */
    const pdfOfAll = (tamano: string) => {
      const pdf = drawn.get(tamano) ?? labels({ guias: made().map(({ id }) => id), tamano });
      drawn.set(tamano, pdf);
      return pdf;
    };

    it.each(['100x150', '100x100', 'a4'])('have readable codes in PDF and PNG of %s', async (tamano) => {
      const ofEach = made().map(codesOf);
      const pages = await readPages(await pdfOfAll(tamano));
      expect(pages).toEqual(tamano === 'a4' ? [ofEach.flat().sort()] : ofEach);
      const pngs: Buffer[] = [];
      for (const guia of made()) pngs.push(await label(guia, `?formato=png&tamano=${tamano}`));
      expect(await readCodes(pngs)).toEqual(ofEach);
    });

    it('have readable codes in ZPL of every size', async () => {
      const guias = made().map(({ id }) => id);
      const zplOf = async (tamano: '100x150' | '100x100') => ({
        zpl: (await labels({ guias, formato: 'zpl', tamano })).toString(),
        tamano,
      });
      const printed = await printZpl([await zplOf('100x150'), await zplOf('100x100')]);
      expect(printed.map(({ length }) => length)).toEqual([3, 3]);
      const ofEach = made().map(codesOf);
      expect(await readCodes(printed.flat())).toEqual([...ofEach, ...ofEach]);
    });

    it('have one page for each guide, and four guides on a sheet of A4', async () => {
      const five = await Promise.all(
        Array.from({ length: 5 }, () => make(merchant, { ...USUAL, ...DESTINO, external_ref: undefined })),
      );
      const guias = five.map(({ id }) => id);
      expect(await textsOf(await pdfOfAll('100x150'))).toHaveLength(3);
      const codes = await readPages(await labels({ guias, tamano: 'a4' }));
      expect(codes).toEqual([five.slice(0, 4), five.slice(4)].map((some) => some.flatMap(codesOf).sort()));
    });

    const textOf = async (guia: Made) => (await textsOf(await label(guia, '?tamano=a4')))[0];

    it.each(['100x150', '100x100', 'a4'])('have every text of a guide in PDF of %s', async (tamano) => {
      // A sheet of A4 with several labels has one text.
      const [text, short] =
        tamano === 'a4'
          ? [await textOf(usual), await textOf(shortest)]
          : await textsOf(await pdfOfAll(tamano));
      for (const expected of [
        ...[inFours(usual.guia), 'GUÍA', 'Tienda', 'Ana Lucía Ñáñez Güell', '5555 1234', '14.6407, -90.5133'],
        ...['Antigua Guatemala', 'Sacatepéquez', 'Dirección: 12 calle 3-45, zona 4, ¿portón negro?', 'MAPA'],
        ...['Frente a «La Bendición» a la par de la pila', 'Contenido: 2 camisas ^XZ ~JA _5E'],
        ...['Notas: Llamar antes. □', 'Pedido: pedido-1042', 'COBRAR Q 349.50', '____/____'],
      ])
        expect(text).toContain(expected);
      expect(text).toMatch(/\b\d\d\/\d\d\/\d{4}\b/);
      expect(text).not.toContain('SIN CONFIRMAR');
      expect(short).toMatch(/SIN COBRO/);
      expect(short).toMatch(/SIN CONFIRMAR.*LLAMAR ANTES/);
      expect(short).not.toMatch(/Dirección|Notas|Pedido|MAPA/);
    });

    it.each(['100x150', '100x100', 'a4'])(
      'warn of test guides and of cancelled ones in %s, and have all else',
      async (tamano) => {
        const zpls: Zpl[] = [];
        const pngs: Buffer[] = [];
        for (const [aviso, guia, by] of [
          ['PRUEBA – NO ENVIAR', ofTest, tester],
          ['CANCELADA – NO ENVIAR', cancelled, merchant],
        ] as const) {
          const pdf = await label(guia, `?tamano=${tamano}`, by);
          const [text] = await textsOf(pdf);
          for (const expected of [
            aviso,
            inFours(guia.guia),
            'Ana Lucía Ñáñez Güell',
            'COBRAR Q 349.50',
            'Notas: Llamar',
          ])
            expect(text).toContain(expected);
          expect(await readPages(pdf)).toEqual([codesOf(guia)]);
          pngs.push(await label(guia, `?formato=png&tamano=${tamano}`, by));
          if (tamano === 'a4') continue;
          const zpl = (await label(guia, `?formato=zpl&tamano=${tamano}`, by)).toString();
          expect(zpl).toContain(`^FR^FH_^FD${aviso}^FS`);
          expect(zpl).toContain('^FDCOBRAR Q 349.50^FS');
          zpls.push({ zpl, tamano: tamano as Zpl['tamano'] });
        }
        const ofEach = [ofTest, cancelled].map(codesOf);
        expect(await readCodes(pngs)).toEqual(ofEach);
        if (tamano !== 'a4') expect(await readCodes((await printZpl(zpls)).flat())).toEqual(ofEach);
      },
    );

    describe('print nothing outside their cell', () => {
      const MARKS = ['\u0301', '\u0323', '\u0338', '\u0361', '\u0489', '\u20d7'];
      /** Texts that are likely to; each fills all lines of a label. */
      const WORST = [
        ...MARKS.map((mark) => `M${mark.repeat(40)}`),
        MARKS.map((mark) => ` ${mark.repeat(5)}`).join('x'),
        'W',
        'AVAWATAYTo',
        '—⸻█∰𒐫﷽‱🏳️‍🌈',
        'ǗỂ|Ǻĵģ',
        '\u202eשלום עליכם\u202c \u2067مرحبا\u2069 ',
        '𝓐𝓷𝓪🅻🅾🅿Ｅ𝐳',
      ];
      /** Dots: 1 mm. */
      const BORDER = 8;
      let worst: Made[];
      beforeAll(async () => {
        const filled = (text: string, length: number) => [...text.repeat(length)].slice(0, length).join('');
        worst = await Promise.all(
          WORST.map((text) => {
            const [short, long] = [filled(text, 120), filled(text, 500)];
            const place = { departamento: short, municipio: short, direccion: long, referencia: long };
            const rest = { notas: filled(text, 1_000), contenido: long, external_ref: undefined };
            return make(merchant, { ...USUAL, ...DESTINO, nombre: short, ...place, ...rest });
          }),
        );
      });
      const guias = () => worst.map(({ id }) => id);

      /** Number of dots in a part of a page that are not white. */
      const inkIn = ({ dots, width }: Raster, [left, top]: number[], [right, bottom]: number[]) => {
        let ink = 0;
        for (let y = top!; y < bottom!; y++)
          ink += dots.subarray(y * width + left!, y * width + right!).filter((dot) => dot < 128).length;
        return ink;
      };
      /** Ink in the border of a part of a page. */
      const inkOnBorder = (page: Raster, [left, top]: number[], [right, bottom]: number[]) =>
        inkIn(page, [left!, top!], [right!, top! + BORDER]) +
        inkIn(page, [left!, bottom! - BORDER], [right!, bottom!]) +
        inkIn(page, [left!, top!], [left! + BORDER, bottom!]) +
        inkIn(page, [right! - BORDER, top!], [right!, bottom!]);
      const expectWhiteBorders = (pages: Raster[]) => {
        expect(pages.map((page) => inkOnBorder(page, [0, 0], [page.width, page.height]))).toEqual(
          pages.map(() => 0),
        );
        for (const page of pages)
          expect(inkIn(page, [0, 0], [page.width, page.height])).toBeGreaterThan(10_000);
      };

      it.each(['100x150', '100x100'])('in PDF, PNG and ZPL of %s', async (tamano) => {
        expectWhiteBorders(await rasterOf(await labels({ guias: guias(), tamano })));
        const pngs: Buffer[] = [];
        for (const guia of worst) pngs.push(await label(guia, `?formato=png&tamano=${tamano}`));
        expectWhiteBorders(await rasterOf(await pdfOfPngs(pngs)));
        // Printers cut at the edge. Their font has wider signs than ours: a line of nothing else may reach it.
        const withLetters = worst.filter((_, i) => /[a-z]/i.test(WORST[i]!)).map(({ id }) => id);
        const zpl = (await labels({ guias: withLetters, formato: 'zpl', tamano })).toString();
        const [printed] = await printZpl([{ zpl, tamano: tamano as Zpl['tamano'] }]);
        expectWhiteBorders(await rasterOf(await pdfOfPngs(printed!)));
      });

      it('on sheets of A4', async () => {
        const pages = await rasterOf(await labels({ guias: guias(), tamano: 'a4' }));
        expect(pages).toHaveLength(Math.ceil(WORST.length / 4));
        for (const page of pages) {
          // Cutting lines, drawn a dot wide, cover two dots.
          const { width, height } = SHEETS.a4;
          const [x, y] = [width / 2, height / 2];
          for (const [left, right] of [
            [0, x - 2],
            [x + 2, width],
          ])
            for (const [top, bottom] of [
              [0, y - 2],
              [y + 2, height],
            ])
              expect(inkOnBorder(page, [left!, top!], [right!, bottom!])).toBe(0);
        }
      });
    });

    it('cut long texts with …, and never names and places', async () => {
      const [, , text] = await textsOf(await pdfOfAll('100x100'));
      for (const name of [LONGEST.nombre, LONGEST.municipio]) expect(text).toContain(name);
      expect(text).toMatch(/Notas: El veloz.*…/);
    });
  });
});
