import { SHEETS } from '../../src/etiquetas/sheets.js';
import { inFours } from '../../src/guias/guia/guia-digits.js';
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
import { DESTINO, Labels, USUAL, type Made } from '../support/labels.js';
import type { TestMerchant } from '../support/test-app.js';
import { useSharedApp } from '../support/use.js';

describeWithReaders('labels in the hands of real readers', () => {
  const test = useSharedApp();
  let merchant: TestMerchant;
  let tester: TestMerchant;
  let labels: Labels;
  let usual: Made;
  let shortest: Made;
  let longest: Made;
  let ofTest: Made;
  let cancelled: Made;

  beforeAll(async () => {
    merchant = await test.merchant();
    tester = await test.tester(merchant.id);
    labels = new Labels(test, merchant);
    usual = await labels.make({ ...USUAL, ...DESTINO });
    shortest = await labels.make(SHORTEST);
    longest = await labels.make({ ...LONGEST, ...DESTINO });
    ofTest = await labels.make({ ...USUAL, ...DESTINO, external_ref: undefined }, tester);
    cancelled = await labels.make({ ...USUAL, ...DESTINO, external_ref: undefined });
    expect((await merchant.post(`/api/v1/guias/${cancelled.id}/cancelar`)).status).toBe(200);
  });

  const codesOf = ({ guia, hasDestino }: Made) => [
    `CODE-128:${guia}`,
    `QR-Code:${guia}`,
    ...(hasDestino ? [`QR-Code:https://maps.google.com/?q=${DESTINO.lat},${DESTINO.lng}`] : []),
  ];
  const made = () => [usual, shortest, longest];
  const drawn = new Map<string, Promise<Buffer>>();
  /** One PDF of the three, drawn once for each size. */
  const pdfOfAll = (tamano: string) => {
    const pdf = drawn.get(tamano) ?? labels.ofMany({ guias: made().map(({ id }) => id), tamano });
    drawn.set(tamano, pdf);
    return pdf;
  };

  it.each(['100x150', '100x100', 'a4', 'carta'])(
    'have readable codes in PDF and PNG of %s',
    async (tamano) => {
      const ofEach = made().map(codesOf);
      const pages = await readPages(await pdfOfAll(tamano));
      expect(pages).toEqual(['a4', 'carta'].includes(tamano) ? [ofEach.flat().sort()] : ofEach);
      const pngs: Buffer[] = [];
      for (const guia of made()) pngs.push(await labels.of(guia, `?formato=png&tamano=${tamano}`));
      expect(await readCodes(pngs)).toEqual(ofEach);
    },
  );

  it('have readable codes in ZPL of every size', async () => {
    const guias = made().map(({ id }) => id);
    const zplOf = async (tamano: '100x150' | '100x100') => ({
      zpl: (await labels.ofMany({ guias, formato: 'zpl', tamano })).toString(),
      tamano,
    });
    const printed = await printZpl([await zplOf('100x150'), await zplOf('100x100')]);
    expect(printed.map(({ length }) => length)).toEqual([3, 3]);
    const ofEach = made().map(codesOf);
    expect(await readCodes(printed.flat())).toEqual([...ofEach, ...ofEach]);
  });

  it('have one page for each guide, and four guides on a sheet of A4', async () => {
    const five = await Promise.all(
      Array.from({ length: 5 }, () => labels.make({ ...USUAL, ...DESTINO, external_ref: undefined })),
    );
    const guias = five.map(({ id }) => id);
    expect(await textsOf(await pdfOfAll('100x150'))).toHaveLength(3);
    const codes = await readPages(await labels.ofMany({ guias, tamano: 'a4' }));
    expect(codes).toEqual([five.slice(0, 4), five.slice(4)].map((some) => some.flatMap(codesOf).sort()));
  });

  const textOf = async (guia: Made) => (await textsOf(await labels.of(guia, '?tamano=a4')))[0];

  it.each(['100x150', '100x100', 'a4'])('have every text of a guide in PDF of %s', async (tamano) => {
    // A sheet of A4 with several labels has one text.
    const [text, short] =
      tamano === 'a4' ? [await textOf(usual), await textOf(shortest)] : await textsOf(await pdfOfAll(tamano));
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

  it.each(['100x100', 'a4'])(
    'warn of test guides and of cancelled ones in %s, and have all else',
    async (tamano) => {
      const zpls: Zpl[] = [];
      const pngs: Buffer[] = [];
      for (const [aviso, guia, by] of [
        ['PRUEBA – NO ENVIAR', ofTest, tester],
        ['CANCELADA – NO ENVIAR', cancelled, merchant],
      ] as const) {
        const pdf = await labels.of(guia, `?tamano=${tamano}`, by);
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
        pngs.push(await labels.of(guia, `?formato=png&tamano=${tamano}`, by));
        if (tamano === 'a4') continue;
        const zpl = (await labels.of(guia, `?formato=zpl&tamano=${tamano}`, by)).toString();
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
          return labels.make({ ...USUAL, ...DESTINO, nombre: short, ...place, ...rest });
        }),
      );
    });
    const guias = () => worst.map(({ id }) => id);

    /** Number of dots in a part of a page that are not white. */
    const inkIn = ({ dots, width }: Raster, [left, top]: number[], [right, bottom]: number[]) => {
      let ink = 0;
      for (let y = top!; y < bottom!; y++)
        for (let at = y * width + left!; at < y * width + right!; at++) if (dots[at]! < 128) ink++;
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
      expectWhiteBorders(await rasterOf(await labels.ofMany({ guias: guias(), tamano })));
      const pngs: Buffer[] = [];
      for (const guia of worst) pngs.push(await labels.of(guia, `?formato=png&tamano=${tamano}`));
      expectWhiteBorders(await rasterOf(await pdfOfPngs(pngs)));
      // Printers cut at the edge. Their font has wider signs than ours: a line of nothing else may reach it.
      const withLetters = worst.filter((_, i) => /[a-z]/i.test(WORST[i]!)).map(({ id }) => id);
      const zpl = (await labels.ofMany({ guias: withLetters, formato: 'zpl', tamano })).toString();
      const [printed] = await printZpl([{ zpl, tamano: tamano as Zpl['tamano'] }]);
      expectWhiteBorders(await rasterOf(await pdfOfPngs(printed!)));
    });

    it('on sheets of A4', async () => {
      const pages = await rasterOf(await labels.ofMany({ guias: guias(), tamano: 'a4' }));
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
