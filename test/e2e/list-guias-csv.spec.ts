import { parse } from 'csv-parse/sync';
import { ofEachText } from '../../src/guias/guia/guia-fields.js';
import { seedGuias } from '../support/guias-seed.js';
import { expectFaults } from '../support/problem.js';
import { guiaBody, type Answer, type TestMerchant } from '../support/test-app.js';
import { useSharedApp } from '../support/use.js';

const GUIAS = '/api/v1/guias';
const LOTE = `${GUIAS}/lote`;

describe('guides as CSV', () => {
  const test = useSharedApp();

  const csv = (by: TestMerchant, query = '') => by.get(`${GUIAS}${query}`, { accept: 'text/csv' });
  const rowsIn = ({ text }: Answer): Record<string, string>[] => parse(text, { columns: true });
  const send = (by: TestMerchant, file: string) => by.post(LOTE, file, { 'content-type': 'text/csv' });

  it('have the columns of a list and those of an import, numbers and phones as they are', async () => {
    const merchant = await test.merchant();
    const { guia, id } = (
      await merchant.post(
        GUIAS,
        guiaBody({
          external_ref: '0001042',
          nombre: '=1+1',
          direccion: 'Casa "verde", zona 1',
          referencia: '@abajo',
          notas: 'Timbre roto\nLlamar antes',
          cod_amount: 349.5,
          lat: 14.6407,
          lng: -90.5133,
          recogida: { lat: -14.5, lng: -90.25, nombre: '-bodega' },
        }),
      )
    ).body;
    const answer = await csv(merchant);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('vary')).toMatch(/accept/i);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(rowsIn(answer)).toEqual([
      {
        ...{ guia, id, estado: 'aceptado', direccion_confirmada: 'true', creada_en: time },
        ...{ actualizada_en: time, telefono: '+50255551234', departamento: 'Guatemala', municipio: 'Mixco' },
        ...{ 'recogida.lat': '-14.5', 'recogida.lng': '-90.25', 'recogida.maps_url': '' },
        ...{ 'recogida.nombre': "'-bodega", 'recogida.direccion': '', nombre: "'=1+1" },
        ...ofEachText(() => ''),
        ...{ direccion: 'Casa "verde", zona 1', referencia: "'@abajo" },
        ...{ notas: 'Timbre roto\nLlamar antes', cod_amount: '349.50', external_ref: '0001042' },
        ...{ lat: '14.6407', lng: '-90.5133', maps_url: '' },
      },
    ]);
  });

  it('are all that match, in the order of the list, whatever `limit` is', async () => {
    const merchant = await test.merchant();
    await seedGuias(test.database, merchant.id, {
      count: 2_300,
      at: '1.7e12 + n / 3',
      changedAt: '1.71e12 - n / 5',
    });
    for (const query of ['', '&actualizada_desde=2020-01-01']) {
      const found: string[] = [];
      for (let cursor = ''; ;) {
        const { body } = await merchant.get(`${GUIAS}?limit=100${query}${cursor}`);
        found.push(...body.guias.map(({ guia }: { guia: string }) => guia));
        if (!body.siguiente_cursor) break;
        cursor = `&cursor=${body.siguiente_cursor}`;
      }
      const rows = rowsIn(await csv(merchant, `?limit=1${query}`));
      expect(rows).toHaveLength(2_300);
      expect(rows.map(({ guia }) => guia)).toEqual(found);
    }
    expect((await csv(merchant, '?estado=entregado')).text.trim().split('\r\n')).toHaveLength(1);
    expectFaults(await csv(merchant, '?estado=x'), ['estado: formato']);
  });

  it('imported again create nothing; a row without a number does', async () => {
    const [merchant, other] = [await test.merchant(), await test.merchant()];
    for (const n of [1, 2])
      await merchant.post(
        GUIAS,
        guiaBody({ nombre: `=${n}`, maps_url: 'https://maps.google.com/?q=14.6,-90.5' }),
      );
    const cancelled = (await merchant.post(GUIAS, guiaBody())).body;
    await merchant.post(`${GUIAS}/${cancelled.id}/cancelar`);
    const { text } = await csv(merchant);
    const again = await send(merchant, text);
    expect(again.body).toMatchObject({ creadas: 0, duplicadas: 3, rechazadas: 0 });
    expect(again.body.resultados[0]).toMatchObject({
      guia: cancelled.guia,
      estado: 'cancelado',
      duplicada: true,
    });
    expect(again.body.resultados[0].advertencias).toContain('cancelada');

    const [header, ...rows] = text.trim().split('\r\n');
    const blank = rows[1]!.replace(/^\d{12}/, '');
    expect((await send(merchant, [header, blank].join('\n'))).body).toMatchObject({ creadas: 1 });
    const strange = await send(other, text);
    expect(strange.body).toMatchObject({ creadas: 0, rechazadas: 3 });
    expect(strange.body.resultados[0].errores).toMatchObject([
      { campo: 'guia', codigo: 'formato', mensaje: expect.stringContaining('deje la celda vacía') },
    ]);
    const cut = await send(merchant, text.replace(cancelled.guia, '4.83920E+11'));
    expect(cut.body).toMatchObject({ creadas: 0, duplicadas: 2, rechazadas: 1 });
    const [{ mensaje }] = cut.body.resultados.find(({ status }: any) => status === 400).errores;
    expect(mensaje).toMatch(/«4\.83920E\+11» y se perdieron cifras/);
    expect(mensaje).not.toContain('vacía');
    expect((await csv(merchant)).text.trim().split('\r\n')).toHaveLength(5);
  });

  it('imported again after an edit say what the guide has otherwise, and change nothing', async () => {
    const merchant = await test.merchant();
    const body = { nombre: 'Ana', notas: 'Llamar\nantes', cod_amount: 1500, external_ref: '=7' };
    const link = 'https://maps.google.com/?q=14.6407,-90.5133';
    const { id, guia } = (await merchant.post(GUIAS, guiaBody({ ...body, maps_url: link }))).body;
    const { text } = await csv(merchant);
    const edited = (from: string, to: string) => {
      expect(text).toContain(from);
      return text.replace(from, to);
    };
    const files: [file: string, campos: string[] | undefined][] = [
      [text, undefined],
      [edited('1500.00', '1750.50'), ['cod_amount']],
      [edited('Ana', 'Eva').replace('1500.00', ''), ['nombre']],
      [edited('+50255551234', '5555'), ['telefono']],
      [edited(link, 'https://example.com/'), ['maps_url']],
      [`guia,cod_amount\n${guia},1500\n`, undefined],
      [`guia,cod_amount\n${guia},1\n`, ['cod_amount']],
    ];
    for (const [file, campos] of files) {
      const { body: answer } = await send(merchant, file);
      expect(answer).toMatchObject({ creadas: 0, duplicadas: 1, rechazadas: 0 });
      expect(answer.resultados[0].campos_distintos).toEqual(campos);
    }
    const { nombre: destinatario, ...rest } = body;
    expect((await merchant.get(`${GUIAS}/${id}`)).body.guia).toMatchObject({ ...rest, destinatario });
  });

  it('have columns that a file without `guia` may not have', async () => {
    const answer = await send(await test.merchant(), 'telefono,estado\n55551234,Guatemala\n');
    expectFaults(answer, ['estado: campo_desconocido']);
  });
});
