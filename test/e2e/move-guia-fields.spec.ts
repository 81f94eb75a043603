import { GUIA_ESTADOS } from '../../src/guias/guia/guia-estado.js';
import { MOTIVO_CODES } from '../../src/guias/guia/guia-motivo.js';
import { Lives } from '../support/lives.js';
import { expectFaults } from '../support/problem.js';
import { opened, useSharedApp } from '../support/use.js';

type Fault = Parameters<typeof expectFaults>[1][number];

const MOVE = { estado: 'en_camino_a_recoger' };
const FAILED = { estado: 'intento_fallido', motivo: 'ausente' };
const DELIVERED = { estado: 'entregado' };

describe("the fields of an operator's event", () => {
  const test = useSharedApp();
  let untouched: { id: string; guia: string };

  const operator = opened(() => test.operator());
  const lives = opened(async () => new Lives(test, await test.merchant()));

  beforeAll(async () => {
    untouched = await lives.create();
  });

  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

  it.each<[what: string, body: unknown, faults: Fault[]]>([
    ['an empty body', {}, ['estado: requerido']],
    ['an unknown state', { estado: 'perdido' }, ['estado: formato']],
    ['an unknown reason', { ...FAILED, motivo: 'pereza' }, ['motivo: formato']],
    ['a failed attempt without a reason', { estado: 'intento_fallido' }, ['motivo: requerido']],
    ['a receiver with another state', { ...MOVE, recibio: 'Rosa' }, ['recibio: formato']],
    ['a long receiver', { ...DELIVERED, recibio: 'ñ'.repeat(121) }, ['recibio: demasiado_largo']],
    ['a reason with another state', { ...MOVE, motivo: 'ausente' }, ['motivo: formato']],
    ['a reason without a state', { motivo: 'ausente' }, ['estado: requerido']],
    ['a reason with an unknown state', { estado: 'x', motivo: 'ausente' }, ['estado: formato']],
    ['an amount with another state', { ...FAILED, cod_cobrado: 5 }, ['cod_cobrado: formato']],
    [
      'an amount above the limit',
      { ...DELIVERED, cod_cobrado: 1_000_000.01 },
      ['cod_cobrado: fuera_de_rango'],
    ],
    [
      'a reason and an amount with another state',
      { ...MOVE, motivo: 'clima', cod_cobrado: 5 },
      ['motivo: formato', 'cod_cobrado: formato'],
    ],
    ['a latitude alone', { ...MOVE, lat: 14.6 }, ['lng: incompleto']],
    ['a long note', { ...MOVE, nota: 'ñ'.repeat(501) }, ['nota: demasiado_largo']],
    ['a long ref', { ...MOVE, ref: 'r'.repeat(101) }, ['ref: demasiado_largo']],
    ['a ref of two lines', { ...MOVE, ref: 'a\nb' }, ['ref: formato']],
    ['a list', [MOVE], ['cuerpo: tipo']],
    [
      'several errors, all reported',
      { estado: 'x', lat: 91, nota: 5, ref: '\0', ocurrido_en: 'ayer', otro: 1 },
      [
        'estado: formato',
        'lat: fuera_de_rango',
        'lng: incompleto',
        'nota: tipo',
        'ref: formato',
        'ocurrido_en: formato',
        'otro: campo_desconocido',
      ],
    ],
  ])('refuse %s and change nothing', async (_, body, faults) => {
    const before = await lives.stored(untouched);
    expectFaults(
      await operator.post(`/api/v1/operaciones/guias/${untouched.id}/eventos`, body ?? 'null'),
      faults,
    );
    expect(await lives.stored(untouched)).toEqual(before);
  });

  it.each([
    ['six minutes ahead', () => inMs(6 * 60_000)],
    ['local time labelled UTC', () => inMs(6 * 3_600_000)],
    ['the end of time', () => '9999-12-31T23:59:59.999Z'],
  ])('refuse a time in the future: %s', async (_, at) => {
    expectFaults(await operator.move(untouched.id, { ...MOVE, ocurrido_en: at() }), [
      'ocurrido_en: fuera_de_rango',
    ]);
  });

  it('accept a time four minutes ahead', async () => {
    const guia = await lives.create();
    expect((await operator.move(guia.id, { ...MOVE, ocurrido_en: inMs(4 * 60_000) })).status).toBe(201);
  });

  it.each(MOTIVO_CODES.filter((codigo) => codigo !== 'sin_tiempo'))(
    'store the reason %s of a failed attempt',
    async (motivo) => {
      const guia = await lives.in('en_ruta');
      expect((await operator.move(guia.id, { ...FAILED, motivo })).status).toBe(201);
      expect((await lives.events(guia)).at(-1)).toMatchObject({ estado: 'intento_fallido', motivo });
    },
  );

  it.each(GUIA_ESTADOS.filter((estado) => estado !== 'intento_fallido'))(
    'refuse a reason with %s',
    async (estado) => {
      expectFaults(await operator.move(untouched.id, { estado, motivo: 'clima' }), ['motivo: formato']);
    },
  );

  it.each(GUIA_ESTADOS.filter((estado) => estado !== 'entregado'))(
    'refuse an amount with %s',
    async (estado) => {
      const motivo = estado === 'intento_fallido' ? 'ausente' : undefined;
      const body = { estado, motivo, cod_cobrado: 0 };
      expectFaults(await operator.move(untouched.id, body), ['cod_cobrado: formato']);
    },
  );

  it('appear in the history as sent, trimmed; null counts as absent', async () => {
    const guia = await lives.create();
    const sent = {
      ...{ nota: ' Timbre roto 😀\r\nvolver ', lat: 14.123456789, lng: -90.987654321, motivo: null },
      cod_cobrado: null,
    };
    expect((await operator.move(guia.id, { ...MOVE, ...sent, ref: null })).status).toBe(201);
    expect((await lives.events(guia)).at(-1)).toMatchObject({
      ...{ nota: 'Timbre roto 😀\nvolver', lat: 14.123456789, lng: -90.987654321, motivo: null },
      cod_cobrado: null,
    });
  });
});
