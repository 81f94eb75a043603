import { Money } from '../support/money.js';
import { PanelBrowser } from '../support/panel.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import type { TestMerchant } from '../support/test-app.js';
import { opened, useSharedApp } from '../support/use.js';

const COBROS = '/api/v1/cobros';
const AS_CSV = { accept: 'text/csv' };
const day = (n: number) => `2026-01-${String(n).padStart(2, '0')}T12:00:00.000Z`;

describe('GET /api/v1/cobros', () => {
  const test = useSharedApp();
  const money = opened(() => Money.start(test));

  /** The items of each page. */
  const walk = async (merchant: TestMerchant, path: string, limit: number): Promise<any[][]> => {
    const pages: any[][] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body, status, text } = await merchant.get(
        `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor && `&cursor=${cursor}`}`,
      );
      if (status !== 200) throw new Error(text);
      pages.push(body.cobros);
      cursor = body.siguiente_cursor as string | null;
    }
    return pages;
  };

  it('shows what became of the amount of each guide, the newest first', async () => {
    const own = await Money.start(test);
    await own.lives.create();
    const waiting = await own.lives.create({ cod_amount: 10, external_ref: 'uno' });
    const collected = await own.deliver(349.5, { cod_cobrado: 349.4, at: day(3) });
    const settled = await own.deliver(20, { at: day(2) });
    const returned = await own.lives.in('devuelto', { cod_amount: 30 });
    const { liquidacion } = (await own.settle({ hasta: '2026-01-02' })).body;
    const item = (guia: { id: string; guia: string }, over: object) => ({
      ...guia,
      ...{ external_ref: null, cod_cobrado: null, moneda: 'GTQ', cobrado_en: null, liquidacion: null },
      ...{ pago: null, liquidado: null },
      ...over,
    });
    const { status, headers, body } = await own.list();
    expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([
      200,
      'application/json; charset=utf-8',
      'Accept',
    ]);
    const pago = 'efectivo';
    const settledAmount = { cod_amount: 20, cod_cobrado: 20, estado: 'liquidado', cobrado_en: day(2), pago };
    expect(body).toEqual({
      ok: true,
      cobros: [
        item(returned, { cod_amount: 30, estado: 'sin_cobro' }),
        item(settled, { ...settledAmount, liquidado: 20, liquidacion: liquidacion.id }),
        item(collected, {
          cod_amount: 349.5,
          cod_cobrado: 349.4,
          estado: 'cobrado',
          cobrado_en: day(3),
          pago,
        }),
        item(waiting, { external_ref: 'uno', cod_amount: 10, estado: 'por_cobrar' }),
      ],
      siguiente_cursor: null,
    });
  });

  it("has the currency of the merchant's country", async () => {
    const merchant = await test.merchant({ country: 'SV' });
    await merchant.post('/api/v1/guias', {
      ...{ telefono: '7777 1234', departamento: 'San Salvador', municipio: 'Soyapango', cod_amount: 5 },
      recogida: { lat: 13.7, lng: -89.2 },
    });
    expect((await merchant.get(COBROS)).body.cobros[0].moneda).toBe('USD');
  });

  it('is up to 100,000,000 in a currency whose cents nobody uses, at every step, and up to 1,000,000 in others', async () => {
    const start = async (country: 'CO' | 'GT') => Money.start(test, await test.merchant({ country }));
    const [pesos, quetzales] = [await start('CO'), await start('GT')];
    const guia = await pesos.deliver(100_000_000);
    expect(await pesos.of(guia)).toMatchObject({ cod_amount: 100_000_000, cod_cobrado: 100_000_000 });
    expect((await pesos.correct(guia.id, { cod_cobrado: 99_999_999.99 })).status).toBe(201);
    const waiting = await pesos.lives.create();
    const edit = (by: Money, id: string) =>
      by.merchant.patch(`/api/v1/guias/${id}`, { cod_amount: 1_200_000 });
    expect((await edit(pesos, waiting.id)).body.guia.cod_amount).toBe(1_200_000);

    expectFaults(await edit(quetzales, (await quetzales.lives.create()).id), ['cod_amount: fuera_de_rango']);
    const { id } = await quetzales.lives.in('en_ruta', { cod_amount: 10 });
    const delivery = { estado: 'entregado', cod_cobrado: 1_000_000.01 };
    expectFaults(await quetzales.operator.move(id, delivery), ['cod_cobrado: fuera_de_rango']);
    await quetzales.operator.move(id, { ...delivery, cod_cobrado: 1_000_000 });
    expectFaults(await quetzales.correct(id, { cod_cobrado: 1_000_001 }), ['cod_cobrado: fuera_de_rango']);
  });

  it('is summed on the first page of the panel, however high', async () => {
    const own = await Money.start(test, await test.merchant({ country: 'CO' }));
    await own.lives.create();
    await own.seed(101, '0');
    await test.database.query('update cobros set cod_cobrado = 100000000 where comercio_id = $1', [
      own.merchant.id,
    ]);
    const browser = await PanelBrowser.in(test, own.merchant);
    expect((await browser.page('/panel')).replaceAll('\u00a0', ' ')).toContain('$ 10,100,000,000.00');
  });

  it('contains what was collected of a guide without an amount due', async () => {
    const guia = await money.deliver(0, { cod_cobrado: 5 });
    expect(await money.of(guia)).toMatchObject({ cod_amount: 0, cod_cobrado: 5, estado: 'cobrado' });
    const free = await money.deliver(0);
    expect(await money.of(free)).toBeUndefined();
  });

  it.each<[what: string, at: string | undefined, expected: () => unknown]>([
    ['as reported', day(5), () => day(5)],
    ['as recorded where nothing was reported', undefined, () => expect.stringMatching(/^20/)],
    ['not before 1970', '0001-01-01T00:00:00Z', () => '1970-01-01T00:00:00.000Z'],
  ])('has the time of the delivery: %s', async (_, at, expected) => {
    expect((await money.of(await money.deliver(1, { at }))).cobrado_en).toEqual(expected());
  });

  it('has no time in the future, though the clock of the courier was ahead', async () => {
    const at = new Date(Date.now() + 4 * 60_000).toISOString();
    expect((await money.of(await money.deliver(1, { at }))).cobrado_en < at).toBe(true);
  });

  describe('of many guides', () => {
    let all: any[];

    const many = opened(() => Money.start(test));

    beforeAll(async () => {
      for (let n = 1; n <= 12; n++) {
        if (n % 4 === 0) await many.lives.create({ cod_amount: n });
        else if (n % 4 === 1) await many.lives.in('extraviado', { cod_amount: n });
        // Collected in another order than created; two at the same time.
        else await many.deliver(n, { at: day(28 - 2 * Math.floor(n / 3)) });
      }
      await many.settle({ hasta: day(24) });
      all = (await many.list('?limit=100')).body.cobros;
    });

    const byTime = (cobros: any[]) =>
      cobros
        .filter(({ cobrado_en }) => cobrado_en)
        .sort((a, b) => (b.cobrado_en + b.id < a.cobrado_en + a.id ? -1 : 1));

    it.each<[query: string, select: (cobros: any[]) => any[]]>([
      ['', (cobros) => cobros],
      ...['por_cobrar', 'cobrado', 'liquidado', 'sin_cobro'].map(
        (estado): [string, (cobros: any[]) => any[]] => [
          `estado=${estado}`,
          (cobros) => cobros.filter((cobro) => cobro.estado === estado),
        ],
      ),
      ['desde=2026-01-22', (cobros) => byTime(cobros).filter(({ cobrado_en }) => cobrado_en >= day(22))],
      ['hasta=2026-01-24', (cobros) => byTime(cobros).filter(({ cobrado_en }) => cobrado_en <= day(24))],
      [
        `desde=${day(22)}&hasta=${day(24)}&estado=liquidado`,
        (cobros) => byTime(cobros).filter(({ cobrado_en }) => [day(22), day(24)].includes(cobrado_en)),
      ],
      ['desde=2026-01-01&estado=por_cobrar', () => []],
    ])('walks through each once, in full pages: %j', async (query, select) => {
      expect(all).toHaveLength(12);
      expect(all.map(({ id }) => id)).toEqual(
        all
          .map(({ id }) => id)
          .sort()
          .reverse(),
      );
      const expected = select(all);
      for (const limit of [2, 12]) {
        const pages = await walk(many.merchant, `${COBROS}${query && `?${query}`}`, limit);
        expect(pages.flat()).toEqual(expected);
        expect(pages.slice(0, -1).every(({ length }) => length === limit)).toBe(true);
      }
      const { text } = await many.list(query && `?${query}`, AS_CSV);
      expect(
        text
          .split('\r\n')
          .slice(1, -1)
          .map((line) => line.split(',')[0]),
      ).toEqual(expected.map(({ guia }) => guia));
    });

    it('refuses a cursor with another filter, another order, or of another merchant', async () => {
      const { siguiente_cursor: cursor } = (await many.list('?estado=cobrado&limit=1')).body;
      for (const query of ['?', '?estado=liquidado&', '?estado=cobrado&desde=2026-01-01&'])
        expectProblem(await many.list(`${query}cursor=${cursor}`), 'cursor_invalido');
      expectProblem(await money.list(`?estado=cobrado&cursor=${cursor}`), 'cursor_invalido');
      expectProblem(await many.merchant.get(`/api/v1/guias?cursor=${cursor}`), 'cursor_invalido');
    });

    it('sums guides and amounts of each state', async () => {
      const total = (estado: string, cobros: any[]) => {
        const of = cobros.filter((cobro) => cobro.estado === estado);
        const sum = (field: string) => of.reduce((sofar, cobro) => sofar + (cobro[field] as number), 0);
        return { guias: of.length, cod_amount: sum('cod_amount'), cod_cobrado: sum('cod_cobrado') };
      };
      const expected = (cobros: any[]) => ({
        ...{ ok: true, moneda: 'GTQ', por_cobrar: total('por_cobrar', cobros) },
        ...{ cobrado: total('cobrado', cobros), liquidado: total('liquidado', cobros) },
        ...{ sin_cobro: total('sin_cobro', cobros), directo: total('directo', []), diferencia: 0 },
      });
      expect((await many.list('/resumen')).body).toEqual(expected(all));
      expect((await many.list('/resumen?desde=2026-01-22&hasta=2026-01-24')).body).toEqual(
        expected(byTime(all).filter(({ cobrado_en }) => [day(22), day(24)].includes(cobrado_en))),
      );
      expect((await many.list('/resumen?desde=2030-01-01')).body).toEqual(expected([]));
    });
  });

  it.each([
    ['estado=pagado', 'estado: formato'],
    ['desde=2026-02-02&hasta=2026-02-01', 'desde: fuera_de_rango'],
    ['liquidacion=x', 'liquidacion: campo_desconocido'],
  ] as const)('refuses %s', async (query, fault) => {
    expectFaults(await money.list(`?${query}`), [fault]);
    expectFaults(await money.list(`?${query}`, AS_CSV), [fault]);
  });

  it('answers for any time that can be written', async () => {
    for (const query of ['desde=0001-01-01', 'hasta=9999-12-31', 'desde=0001-01-01&hasta=1969-12-31']) {
      expect((await money.list(`?${query}`)).status).toBe(200);
      expect((await money.list(`/resumen?${query}`)).status).toBe(200);
    }
  });

  it('writes amounts with the digits of the database, and adds none in floating point', async () => {
    const own = await Money.start(test);
    for (const amount of [0.1, 0.2, 349.5]) await own.deliver(amount, { cod_cobrado: amount - 0.1 });
    expect((await own.list()).text).toMatch(/"cod_amount":349.50,"cod_cobrado":349.40,.*"cod_amount":0.20,/);
    expect((await own.list('/resumen')).text).toContain(
      '"cobrado":{"guias":3,"cod_amount":349.80,"cod_cobrado":349.50}',
    );
    expect((await own.list('/resumen')).text).toContain('"diferencia":-0.30}');
    await test.database.query(
      `update cobros set cod_cobrado = 999999.99 where comercio_id = $1 and cod_amount < 1`,
      [own.merchant.id],
    );
    expect((await own.settle()).text).toContain('"cobrado":2000349.38,');
  });

  describe('as CSV', () => {
    it('is a file with a header, CRLF and no formulas', async () => {
      const own = await Money.start(test);
      const refs = ['=1+1', '@SUM(A1)', '-2', '+3', 'con "comillas", y coma', 'ñ 😀'];
      for (const [n, external_ref] of refs.entries())
        await own.deliver(n + 0.5, { external_ref, at: day(n + 1) });
      const { status, headers, text } = await own.list('?limit=1', AS_CSV);
      expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([
        200,
        'text/csv; charset=utf-8',
        'Accept',
      ]);
      expect(headers.get('content-disposition')).toBe('attachment; filename="cobros.csv"');
      const lines = text.split('\r\n');
      expect([lines[0], lines.at(-1), lines.length]).toEqual([
        'guia,id,external_ref,cod_amount,cod_cobrado,moneda,estado,cobrado_en,liquidacion,pago,liquidado',
        '',
        8,
      ]);
      expect(lines.slice(1, -1).map((line) => line.replace(/^\d{12},[-0-9a-f]{36},/, ''))).toEqual([
        `ñ 😀,5.50,5.50,GTQ,cobrado,${day(6)},,efectivo,`,
        `"con ""comillas"", y coma",4.50,4.50,GTQ,cobrado,${day(5)},,efectivo,`,
        `'+3,3.50,3.50,GTQ,cobrado,${day(4)},,efectivo,`,
        `'-2,2.50,2.50,GTQ,cobrado,${day(3)},,efectivo,`,
        `'@SUM(A1),1.50,1.50,GTQ,cobrado,${day(2)},,efectivo,`,
        `'=1+1,0.50,0.50,GTQ,cobrado,${day(1)},,efectivo,`,
      ]);
    });

    it("has times in the zone that is asked for, the merchant's or another", async () => {
      const own = await Money.start(test);
      await own.deliver(1, { at: day(3) });
      const timeIn = async (query: string) => {
        const { text } = await own.list(query, AS_CSV);
        return text.split('\r\n')[1]!.split(',')[7]!;
      };
      expect(await timeIn('')).toBe(day(3));
      const local = await timeIn('?zona=comercio');
      expect(local).toMatch(/-06:00$/);
      expect(await timeIn('?zona=America/Guatemala')).toBe(local);
      expect(Date.parse(local)).toBe(Date.parse(day(3)));
    });

    it('streams all of a selection that is larger than one statement reads', async () => {
      const own = await Money.start(test);
      const count = 2_000;
      await test.database.query(
        `insert into guias (comercio_id, id, guia, estado, telefono, departamento, municipio, cod_amount,
           direccion_confirmada, recogida_lat, recogida_lng, creada_en, actualizada_en)
         select $1, gen_random_uuid(), 300000000000 + n, 'en_ruta', '+50255551234', 'G', 'M', 1, false, 14, -90, now(), now()
         from generate_series(1, $2::int) n`,
        [own.merchant.id, count],
      );
      const { text } = await own.list('?estado=por_cobrar', AS_CSV);
      const guias = text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[0]);
      expect([guias.length, new Set(guias).size]).toEqual([count, count]);
    });
  });
});
