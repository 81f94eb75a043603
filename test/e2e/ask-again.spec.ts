import { NOTIFICACIONES } from '../../src/notifications/notifications.queue.js';
import { QueuesService } from '../../src/platform/queues/queues.service.js';
import { eventually, settled } from '../support/eventually.js';
import { Lives, PLACE } from '../support/lives.js';
import { newPhone } from '../support/messaging.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import type { Answer } from '../support/test-app.js';
import { opened, useBridgedApp } from '../support/use.js';

const GUIAS = '/api/v1/guias';
const OPERACIONES = '/api/v1/operaciones/guias';

interface Asked {
  id: string;
  guia: string;
  telefono: string;
}

describe('asking the recipient again', () => {
  const app = useBridgedApp();
  const merchant = opened(() => app.test.merchant());
  const operator = opened(() => app.test.operator());
  let lives: Lives;

  beforeAll(() => void (lives = new Lives(app.test, merchant)));

  const ask = async ({ id }: { id: string }, by: 'merchant' | 'operator' = 'merchant'): Promise<Answer> => {
    const answer =
      by === 'merchant'
        ? await merchant.post(`${GUIAS}/${id}/pedir-ubicacion`)
        : await operator.post(`${OPERACIONES}/${id}/pedir-ubicacion`, undefined);
    await settled(app.test);
    return answer;
  };
  const sent = ({ telefono }: Asked) => app.bridge.sentTo(telefono).length;
  const confirmed = async (): Promise<Asked> => {
    const telefono = newPhone();
    return { ...(await lives.create({ telefono })), telefono };
  };
  const unconfirmed = async (): Promise<Asked> => {
    const guia = await app.messaging.create(merchant);
    await app.messaging.reached(guia, 'aceptado');
    return guia;
  };
  const history = async (guia: { id: string }) => (await lives.events(guia)).slice(1).map(({ tipo }) => tipo);

  it.each(['merchant', 'operator'] as const)(
    'by a %s sends another message at once, and links stay valid',
    async (by) => {
      const guia = await unconfirmed();
      const { status, body } = await ask(guia, by);
      expect([status, body.guia.id]).toEqual([200, guia.id]);
      expect(sent(guia)).toBe(2);
      const paths = app.bridge.sentTo(guia.telefono).map(({ json }) => new URL(json.enlace).pathname);
      for (const path of paths) expect((await app.test.request(path)).status).toBe(200);
      expect((await lives.events(guia)).at(-1)).toMatchObject({
        tipo: 'guia.confirmacion_pedida',
        actor: by === 'merchant' ? 'comercio' : 'operador',
      });
    },
  );

  it('also of a confirmed address, which it stays', async () => {
    const guia = await confirmed();
    const { status, body } = await ask(guia);
    expect([status, body.guia.direccion_confirmada, sent(guia)]).toEqual([200, true, 1]);
    expect((await ask(guia)).status).toBe(200);
    expect(sent(guia)).toBe(2);
  });

  it('makes no second message while one waits to be sent', async () => {
    const telefono = newPhone();
    app.bridge.answerTo(telefono, { status: 503 });
    const guia = await app.messaging.create(merchant, { telefono });
    await settled(app.test);
    const before = await history(guia);
    expect((await ask(guia)).status).toBe(200);
    expect(await history(guia)).toEqual(before);
  });

  it.each([
    ['en_ruta', 'en_ruta'],
    ['en_devolucion', 'en_devolucion'],
    ['entregado', 'final'],
  ] as const)('in %s is refused with the reason', async (estado, motivo) => {
    const guia = await lives.in(estado);
    for (const by of ['merchant', 'operator'] as const) {
      const answer = await ask(guia, by);
      expectProblem(answer, 'mensaje_no_permitido');
      expect(answer.body.motivo).toBe(motivo);
    }
    expect(await history(guia)).toEqual([]);
  });

  it('of somebody who opted out, or said that it is not theirs, is refused', async () => {
    const out = await confirmed();
    await app.test.request(`/api/v1/operaciones/bajas/${out.telefono}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${operator.key}` },
    });
    expect((await ask(out)).body.motivo).toBe('baja');
    const denied = await confirmed();
    await app.test.database.query(`update guias set advertencias = '{destinatario_niega}' where id = $1`, [
      denied.id,
    ]);
    expect((await ask(denied)).body.motivo).toBe('niega');
  });

  it('of an unknown guide is 404, and takes no fields', async () => {
    expectProblem(await ask({ id: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57' }), 'no_encontrado');
    const guia = await confirmed();
    expectFaults(await merchant.post(`${GUIAS}/${guia.id}/pedir-ubicacion`, { nota: 'x' }), [
      'nota: campo_desconocido',
    ]);
  });

  it('a destination that is taken away asks once, also where the creation has yet to be told', async () => {
    const telefono = newPhone();
    const created = await merchant.post(GUIAS, {
      ...PLACE,
      telefono,
      departamento: 'Guatemala',
      municipio: 'Mixco',
      recogida: PLACE,
    });
    const cleared = await merchant.patch(`${GUIAS}/${created.body.id}`, { lat: null, lng: null });
    expect(cleared.body.guia).toMatchObject({
      direccion_confirmada: false,
      destino: { lat: null, maps_url: null },
    });
    await settled(app.test);
    expect(app.bridge.sentTo(telefono)).toHaveLength(1);
    expect(await history(created.body)).toEqual(['guia.actualizada', 'guia.confirmacion_pedida']);
  });

  it.each<[what: string, create: () => Promise<Asked>, before: (guia: Asked) => Promise<Answer>]>([
    [
      'of the creation',
      () => app.messaging.create(merchant),
      ({ id }) => merchant.patch(`${GUIAS}/${id}`, PLACE),
    ],
    ['about the confirmed place', confirmed, ({ id }) => merchant.post(`${GUIAS}/${id}/pedir-ubicacion`)],
  ])(
    'a destination that is taken away asks once, also where a message %s waits',
    async (_, create, before) => {
      const queue = app.test.app.get(QueuesService).queue(NOTIFICACIONES);
      await queue.pause();
      const guia = await create();
      const waiting = (count: number) =>
        eventually(async () => expect(await app.messaging.of(guia)).toHaveLength(count));
      if (create !== confirmed) await waiting(1);
      expect((await before(guia)).status).toBe(200);
      await waiting(1);
      expect((await merchant.patch(`${GUIAS}/${guia.id}`, { lat: null, lng: null })).status).toBe(200);
      await waiting(2);
      await queue.resume();
      await settled(app.test);
      expect(sent(guia)).toBe(1);
      expect((await app.messaging.of(guia)).map(({ estado }) => estado)).toEqual(['omitido', 'aceptado']);
    },
  );

  it.each<[what: string, body: object, faults: Parameters<typeof expectFaults>[1]]>([
    ['lat alone', { lat: null }, ['lng: incompleto']],
    ['lng alone', { lng: null }, ['lat: incompleto']],
    ['one of them', { lat: null, lng: -90.5 }, ['lat: incompleto']],
  ])('null of %s is incomplete', async (_, body, faults) => {
    const guia = await confirmed();
    expectFaults(await merchant.patch(`${GUIAS}/${guia.id}`, body), faults);
  });

  it('operators change what serves to arrive, by its version', async () => {
    const guia = await confirmed();
    const path = `${OPERACIONES}/${guia.id}`;
    const { headers } = await operator.get(path);
    const etag = headers.get('etag')!;
    const edit = (body: object, ifMatch = etag) => operator.patch(path, body, { 'if-match': ifMatch });
    const { status, body } = await edit({ referencia: 'Portón azul' });
    expect([status, body.guia.referencia]).toEqual([200, 'Portón azul']);
    expect((await lives.events(guia)).at(-1)).toMatchObject({
      tipo: 'guia.actualizada',
      actor: 'operador',
      campos: ['referencia'],
    });
    expectProblem(await edit({ notas: 'x' }), 'version_obsoleta');
    expectFaults(await operator.patch(path, { nombre: 'Ana' }), ['nombre: campo_desconocido']);
  });

  it('operators write a phone in the local form of the guide’s merchant', async () => {
    const mexican = new Lives(app.test, await app.test.merchant({ country: 'MX' }));
    const [gt, mx] = [await confirmed(), await mexican.create({ telefono: '55 1234 5679' })];
    const edit = async ({ id }: { id: string }, telefono: string) =>
      (await operator.patch(`${OPERACIONES}/${id}`, { telefono })).body.guia?.telefono;
    expect(await edit(gt, '5555 9876')).toBe('+50255559876');
    expect(await edit(mx, '55 1234 5678')).toBe('+525512345678');
    expectFaults(await operator.patch(`${OPERACIONES}/${gt.id}`, { telefono: '55 1234 5678' }), [
      'telefono: formato',
    ]);
    expectProblem(
      await operator.patch(`${OPERACIONES}/no-existe`, { telefono: '5555 9876' }),
      'no_encontrado',
    );
  });

  it('another town without its destination warns, in the answer’s header too', async () => {
    const guia = await confirmed();
    const { status, body, headers } = await merchant.patch(`${GUIAS}/${guia.id}`, {
      municipio: 'Villa Nueva',
    });
    expect([status, body.guia.advertencias, headers.get('guias-advertencia')]).toEqual([
      200,
      ['destino_por_revisar'],
      'destino_por_revisar',
    ]);
    const settledNow = await merchant.patch(`${GUIAS}/${guia.id}`, PLACE);
    expect([settledNow.body.guia.advertencias, settledNow.headers.get('guias-advertencia')]).toEqual([
      [],
      null,
    ]);
  });

  it('in another town is settled by the recipient, who says that the place is still the same', async () => {
    const guia = await confirmed();
    await merchant.patch(`${GUIAS}/${guia.id}`, { municipio: 'Villa Nueva' });
    await ask(guia);
    const { seguimiento } = (await lives.read(guia)).guia;
    const path = new URL(seguimiento).pathname;
    const confirm = () =>
      app.test.request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(PLACE),
      });
    for (let n = 0; n < 2; n++) expect((await confirm()).status).toBe(200);
    expect((await lives.read(guia)).guia).toMatchObject({ direccion_confirmada: true, advertencias: [] });
    expect((await history(guia)).filter((tipo) => tipo === 'guia.confirmada')).toHaveLength(1);
  });

  it('is answered on the page by the saved place, which the merchant is told', async () => {
    const guia = await confirmed();
    const path = new URL((await lives.read(guia)).guia.seguimiento).pathname;
    const answer = async () => {
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(PLACE) };
      expect((await app.test.request(path, init)).status).toBe(200);
    };
    await answer();
    expect(await history(guia)).toEqual([]);
    for (let asked = 0; asked < 2; asked++) {
      await ask(guia);
      await answer();
      await answer();
    }
    const pair = ['guia.confirmacion_pedida', 'guia.confirmada'];
    expect(await history(guia)).toEqual([...pair, ...pair]);
  });

  it('a guide that comes back from its end asks again, where its message had not left', async () => {
    const telefono = newPhone();
    app.bridge.answerTo(telefono, { status: 503 });
    const guia = { ...(await app.messaging.create(merchant, { telefono })), telefono };
    await settled(app.test);
    const move = (path: string, body: object) => operator.post(`${OPERACIONES}/${guia.id}/${path}`, body);
    expect((await move('eventos', { estado: 'cancelado' })).status).toBe(201);
    await app.messaging.due(await app.messaging.waiting(guia));
    await app.messaging.reached(guia, 'omitido');
    expect((await move('deshacer', { motivo: 'Se marcó otra guía' })).status).toBe(201);
    await settled(app.test);
    expect(sent(guia)).toBe(2);
    expect((await history(guia)).slice(-2)).toEqual(['guia.estado_corregido', 'guia.confirmacion_pedida']);
    expect((await lives.read(guia)).guia.mensaje.estado).toBe('aceptado');

    const told = await unconfirmed();
    for (const [path, body] of [
      ['eventos', { estado: 'cancelado' }],
      ['deshacer', { motivo: 'x' }],
    ] as const)
      expect((await operator.post(`${OPERACIONES}/${told.id}/${path}`, body)).status).toBe(201);
    await settled(app.test);
    expect(sent(told)).toBe(1);
  });

  it('a new guide names its warnings in a header', async () => {
    const { status, headers } = await merchant.post(GUIAS, {
      ...{ telefono: '+50255555555', departamento: 'Guatemala', municipio: 'Mixco', lat: 48.85, lng: 2.35 },
      recogida: PLACE,
    });
    expect([status, headers.get('guias-advertencia')]).toEqual([
      201,
      'destino_fuera_del_pais, telefono_dudoso',
    ]);
  });
});
