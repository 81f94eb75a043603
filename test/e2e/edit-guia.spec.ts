import type { GuiaEstado } from '../../src/guias/guia/guia-estado.js';
import { Lives, PLACE } from '../support/lives.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import type { TestMerchant } from '../support/test-app.js';
import { opened, useSharedApp } from '../support/use.js';

const GUIAS = '/api/v1/guias';
const EDITABLE = ['aceptado', 'en_camino_a_recoger', 'recogido', 'intento_fallido'];

type Fault = Parameters<typeof expectFaults>[1][number];

describe('PATCH /api/v1/guias/{id}', () => {
  const test = useSharedApp();
  const merchant = opened(() => test.merchant());
  const lives = new Lives(test, merchant);

  const FULL = { direccion: '4a calle', referencia: 'portón verde', notas: 'llamar antes' };
  const patch = (id: string, body: unknown, ifMatch?: string, by: Pick<TestMerchant, 'patch'> = merchant) =>
    by.patch(`${GUIAS}/${id}`, body, ifMatch === undefined ? {} : { 'if-match': ifMatch });

  it.each<[campo: string, value: unknown, stored: unknown]>([
    ['direccion', ' 5a avenida\r\n3-20 ', '5a avenida\n3-20'],
    ['direccion', null, ''],
    ['referencia', '', null],
    ['notas', '😀'.repeat(1_000), '😀'.repeat(1_000)],
    ['telefono', '4444 5678', '+50244445678'],
    ['nombre', ' Ana ', 'Ana'],
    ['cod_amount', 299.99, 299.99],
  ])('changes %s alone: %j', async (campo, value, stored) => {
    const guia = await lives.create({ ...FULL, nombre: 'Luis', contenido: 'Zapatos', cod_amount: 5 });
    const before = (await lives.read(guia)).guia;
    const { status, body, headers } = await patch(guia.id, { [campo]: value });
    expect([status, headers.get('etag')]).toEqual([200, '"2"']);
    expect(body).toEqual({
      ok: true,
      guia: {
        ...before,
        [campo === 'nombre' ? 'destinatario' : campo]: stored,
        actualizada_en: expect.any(String),
        // Of the phone: whoever had the old one loses the link.
        ...(campo === 'telefono' && { seguimiento: expect.not.stringContaining(before.seguimiento) }),
      },
    });
    expect(body.guia.actualizada_en >= before.actualizada_en).toBe(true);
    expect(await lives.read(guia)).toEqual({ guia: body.guia, etag: '"2"' });
    expect((await lives.events(guia)).slice(1)).toEqual([
      expect.objectContaining({ tipo: 'guia.actualizada', actor: 'comercio', secuencia: 2, campos: [campo] }),
    ]);
  });

  it('changes several fields, by guide number, and records only their names', async () => {
    const guia = await lives.create(FULL);
    const { body } = await patch(guia.guia, {
      telefono: '+503 7000 1234',
      direccion: 'secreta 1',
      referencia: null,
      notas: 'secreta 2',
      ...{ lat: 14.7, lng: -90.6 },
    });
    expect(body.guia).toMatchObject({ telefono: '+50370001234', direccion: 'secreta 1', referencia: null });
    const [event, ...more] = (await lives.events(guia)).slice(1);
    expect(more).toEqual([]);
    expect(event.campos).toEqual(['telefono', 'direccion', 'referencia', 'notas', 'lat', 'lng']);
    const rows = await test.database.query(
      'select datos from eventos where guia_id = $1 and datos is not null',
      [guia.id],
    );
    expect(rows).toEqual([{ datos: { campos: event.campos, estado: 'aceptado' } }]);
  });

  it.each<[what: string, body: object]>([
    ['an empty body', {}],
    ['null in fields that cannot be cleared', { telefono: null, cod_amount: null }],
    ['null in fields that every guide has', { departamento: null, municipio: null, cod_amount: null }],
    ['the stored values', { ...FULL, ...PLACE }],
    ['the same phone in another format', { telefono: '(502) 5555-1234' }],
    ['the same text with spaces around it', { notas: ' llamar antes\n' }],
  ])('changes and records nothing, and keeps the ETag, for %s', async (_, body) => {
    const guia = await lives.create(FULL);
    const before = await lives.stored(guia);
    const answer = await patch(guia.id, body, '"1"');
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"1"']);
    expect(answer.body.guia).toEqual((await lives.read(guia)).guia);
    expect(await lives.stored(guia)).toEqual(before);
  });

  describe('refuses without any change:', () => {
    let guia: { id: string; guia: string };
    beforeAll(async () => {
      guia = await lives.create(FULL);
    });

    it.each(['estado', 'external_ref', 'recogida'])('the unknown field %s', async (campo) => {
      const before = await lives.stored(guia);
      expectFaults(await patch(guia.id, { notas: 'otra', [campo]: 'x' }), [`${campo}: campo_desconocido`]);
      expect(await lives.stored(guia)).toEqual(before);
    });

    it.each<[body: unknown, faults: Fault[]]>([
      [{ direccion: 'x'.repeat(501) }, ['direccion: demasiado_largo']],
      [{ notas: ['x'] }, ['notas: tipo']],
      [{ lat: 14.6 }, ['lng: incompleto']],
      [{ cod_amount: -1 }, ['cod_amount: fuera_de_rango']],
      [{ maps_url: 'por el parque' }, ['maps_url: formato']],
      [[], ['cuerpo: tipo']],
      ['null', ['cuerpo: tipo']],
    ])('%j', async (body, faults) => {
      const before = await lives.stored(guia);
      expectFaults(await patch(guia.id, body), faults);
      expect(await lives.stored(guia)).toEqual(before);
    });

    it('query parameters, an absent body and invalid JSON', async () => {
      expectFaults(await patch(`${guia.id}?notas=x`, {}), ['notas: campo_desconocido']);
      expectProblem(await patch(guia.id, '{'), 'json_invalido');
      expectProblem(await patch(guia.id, ''), 'json_invalido');
      expectFaults(await patch(guia.id, undefined), ['cuerpo: tipo']);
    });
  });

  it.each<[estado: GuiaEstado, mensaje: string]>([
    ['en_ruta', `Solo se cambia en: ${EDITABLE.join(', ')}.`],
    ['entregado', 'La guía ya terminó.'],
  ])(
    'refuses a guide in %s with 409, which says when each field could be changed',
    async (estado, mensaje) => {
      const guia = await lives.in(estado);
      const before = await lives.stored(guia);
      const answer = await patch(guia.id, { direccion: 'otra' });
      expectProblem(answer, 'guia_no_modificable');
      expect(answer.body.detail).toContain(`\`${estado}\``);
      expect(answer.body.errores).toEqual([{ campo: 'direccion', codigo: 'guia_no_modificable', mensaje }]);
      expect(await lives.stored(guia)).toEqual(before);
    },
  );

  it('takes words for the driver who is on the way, from operators also where to go, and asks nobody', async () => {
    const guia = await lives.in('en_ruta');
    const words = { notas: 'Déjelo con el guardia', referencia: 'garita 2' };
    expect((await patch(guia.id, words)).body.guia).toMatchObject(words);
    const before = (await lives.events(guia)).length;
    const operator = await test.operator();
    const correct = (body: unknown) => operator.patch(`/api/v1/operaciones/guias/${guia.id}`, body);
    expect((await correct({ telefono: '4444 5678', direccion: '5a avenida' })).status).toBe(200);
    expect((await correct({ lat: 15.1, lng: -91.1 })).status).toBe(200);
    expect((await lives.events(guia)).slice(before)).toMatchObject([
      { tipo: 'guia.actualizada', actor: 'operador', campos: ['telefono', 'direccion'] },
      { tipo: 'guia.actualizada', actor: 'operador', campos: ['lat', 'lng'] },
    ]);
    expect((await correct({ lat: null, lng: null, telefono: '4444 5679' })).status).toBe(200);
    expect((await lives.events(guia)).map(({ tipo }) => tipo)).not.toContain('guia.confirmacion_pedida');
    await operator.move(guia.id, { estado: 'intento_fallido', motivo: 'ausente' });
    await operator.move(guia.id, { estado: 'en_devolucion' });
    for (const answer of [await patch(guia.id, words), await correct(words)])
      expectProblem(answer, 'guia_no_modificable');
  });

  it('refuses a change of the parcel after pickup with 409, names the field, and changes nothing else', async () => {
    const guia = await lives.in('recogido');
    const before = await lives.stored(guia);
    const answer = await patch(guia.id, { notas: 'otra', cod_amount: 5, nombre: 'Otra' });
    expectProblem(answer, 'guia_no_modificable');
    expect(answer.body.errores).toEqual(
      ['nombre', 'cod_amount'].map((campo) => ({
        campo,
        codigo: 'guia_no_modificable',
        mensaje: 'Solo se cambia en: aceptado, en_camino_a_recoger.',
      })),
    );
    expect(answer.body.detail).toBe(
      'La guía está en `recogido`, y en ese estado no se cambian `nombre`, `cod_amount`.',
    );
    expect(await lives.stored(guia)).toEqual(before);
    const { municipio } = (await lives.read(guia)).guia;
    expect((await patch(guia.id, { municipio, notas: 'otra' })).status).toBe(200);
  });

  describe('with If-Match', () => {
    it('accepts the ETag of the last GET or PATCH, and refuses an older one', async () => {
      const guia = await lives.create();
      const { etag } = await lives.read(guia);
      const first = await patch(guia.id, { notas: 'una' }, etag);
      const second = await patch(guia.id, { notas: 'dos' }, first.headers.get('etag')!);
      expect([etag, first.headers.get('etag'), second.headers.get('etag')]).toEqual(['"1"', '"2"', '"3"']);
      expectProblem(await patch(guia.id, { notas: 'tres' }, etag), 'version_obsoleta');
      expect((await lives.read(guia)).guia.notas).toBe('dos');
    });

    it.each<[what: string, change: (guia: { id: string }) => Promise<unknown>]>([
      ['has moved', async ({ id }) => (await test.operator()).move(id, { estado: 'en_camino_a_recoger' })],
      [
        'has a late event',
        async ({ id }) => {
          const operator = await test.operator();
          await operator.move(id, { estado: 'en_camino_a_recoger' });
          return operator.move(id, { estado: 'recogido', ocurrido_en: '2020-01-01T00:00:00Z' });
        },
      ],
      [
        'was edited with another key of the merchant',
        async ({ id }) => (await test.keyOf(merchant.id)).patch(`${GUIAS}/${id}`, { notas: 'otra' }),
      ],
    ])('returns 412 if the guide %s since', async (_, change) => {
      const guia = await lives.create();
      const { etag } = await lives.read(guia);
      await change(guia);
      const before = await lives.stored(guia);
      for (const body of [{ notas: 'mía' }, {}])
        expectProblem(await patch(guia.id, body, etag), 'version_obsoleta');
      expect(await lives.stored(guia)).toEqual(before);
    });

    it.each([
      ['*', 200],
      ['"1-gzip", "2-gzip"', 200],
      ['"22-gzip"', 412],
    ])('returns, for %j and a guide at version 2, %d', async (ifMatch, status) => {
      const guia = await lives.create();
      await patch(guia.id, { notas: 'una' });
      const answer = await patch(guia.id, { notas: 'dos' }, ifMatch);
      expect(answer.status).toBe(status);
      if (status === 412) expectProblem(answer, 'version_obsoleta');
    });

    it('reports an old version before a state that is not editable', async () => {
      const guia = await lives.in('entregado');
      expectProblem(await patch(guia.id, { notas: 'x' }, '"7"'), 'version_obsoleta');
      expectProblem(await patch(guia.id, { notas: 'x' }, '"1"'), 'guia_no_modificable');
    });
  });
});
