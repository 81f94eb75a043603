import { ENLACES } from '../../src/guias/links/links.queue.js';
import { QueuesService } from '../../src/platform/queues/queues.service.js';
import { eventually, settled } from '../support/eventually.js';
import { startHttpStub, type HttpStub } from '../support/http-stub.js';
import { Lives } from '../support/lives.js';
import { createBridgedApp, type BridgedApp } from '../support/messaging.js';
import { guiaBody, type TestMerchant, type TestOperator } from '../support/test-app.js';

const GUIAS = '/api/v1/guias';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** An event whose optional fields are null unless named. */
const event = (over: Record<string, unknown>) => ({
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  ocurrido_en: TIME,
  creado_en: TIME,
  ...{ estado: null, estado_anterior: null, motivo: null, nota: null },
  ...{
    ...{
      lat: null,
      lng: null,
      cod_cobrado: null,
      pago: null,
      recibio: null,
      distancia_m: null,
      campos: null,
    },
    dicho_en: null,
  },
  ...over,
});
const CREATED = event({ secuencia: 1, tipo: 'guia.creada', actor: 'comercio', estado: 'aceptado' });

describe('the history of a guide', () => {
  let maps: HttpStub;
  let app: BridgedApp;
  let merchant: TestMerchant;
  let operator: TestOperator;
  let lives: Lives;

  beforeAll(async () => {
    maps = await startHttpStub();
    app = await createBridgedApp({ env: { MAPS_RESOLVER_URL: maps.url } });
    merchant = await app.test.merchant();
    operator = await app.test.operator();
    lives = new Lives(app.test, merchant);
  });
  afterAll(async () => {
    await app.close();
    await maps.close();
  });

  describe('shows', () => {
    it('all fields of a move', async () => {
      const guia = await lives.in('en_ruta');
      const sent = {
        ...{ estado: 'intento_fallido', motivo: 'acceso_cerrado', nota: 'garita', lat: 14.6, lng: -90.5 },
      };
      await operator.move(guia.id, { ...sent, ocurrido_en: '2026-01-01T00:00:00Z', ref: 'secreta' });
      expect(await lives.events(guia)).toEqual([
        CREATED,
        event({
          ...{ secuencia: 2, tipo: 'guia.estado_cambiado', actor: 'operador', estado_anterior: 'en_ruta' },
          ...sent,
          ocurrido_en: '2026-01-01T00:00:00.000Z',
        }),
      ]);
    });

    it('why a message did not reach the recipient', async () => {
      const telefono = '+50255559101';
      app.bridge.answerTo(telefono, { status: 422 });
      const guia = await app.messaging.create(merchant, { telefono });
      await app.messaging.reached(guia, 'fallido');
      expect(await lives.events(guia)).toEqual([
        CREATED,
        event({ secuencia: 2, tipo: 'guia.mensaje_fallido', actor: 'sistema', motivo: 'HTTP 422' }),
      ]);
    });

    it.each<[what: string, status: number, location: string, events: object[]]>([
      [
        'that a link was resolved later',
        302,
        'https://www.google.com/maps?q=14.7,-90.6',
        [event({ secuencia: 2, tipo: 'guia.enlace_leido', actor: 'sistema' })],
      ],
      [
        'that a link could not be resolved, and that the recipient was asked',
        410,
        '',
        [
          event({ secuencia: 2, tipo: 'guia.enlace_fallido', actor: 'sistema', motivo: 'broken' }),
          event({ secuencia: 3, tipo: 'guia.confirmacion_pedida', actor: 'sistema' }),
        ],
      ],
    ])('%s', async (_, status, location, events) => {
      maps.otherwise({ status: 503 });
      const maps_url = `https://maps.app.goo.gl/historial${status}`;
      const { body } = await merchant.post(GUIAS, guiaBody({ maps_url }));
      const job = await eventually(async () => {
        const delayed = await app.test.app.get(QueuesService).queue(ENLACES).getDelayed();
        const found = delayed.find(({ id }) => id!.startsWith(`${body.id}.destino`));
        expect(found).toBeDefined();
        return found!;
      });
      maps.otherwise({ status, headers: { location } });
      await job.promote();
      await eventually(async () => expect(await lives.events(body)).toEqual([CREATED, ...events]));
      await settled(app.test);
    });
  });

  it('stores no phone and no address, whatever happened to the guide', async () => {
    const secrets = [
      ...['44445678', '55559102', 'calle secreta', 'portón secreto', 'nota secreta', '14.123456', 'goo.gl'],
    ];
    const guia = await app.messaging.create(merchant, { telefono: '+50255559102' });
    await settled(app.test);
    const edit = {
      telefono: '44445678',
      direccion: 'calle secreta',
      referencia: 'portón secreto',
      notas: 'nota secreta',
    };
    await merchant.patch(`${GUIAS}/${guia.id}`, edit);
    await settled(app.test);
    const { enlace } = app.bridge.sentTo('+50244445678').at(-1)!.json;
    const body = JSON.stringify({ lat: 14.123456, lng: -90.5, referencia: 'portón secreto' });
    await app.test.request(new URL(enlace).pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    await merchant.patch(`${GUIAS}/${guia.id}`, {
      lat: 14.123456,
      lng: -90.6,
      maps_url: 'https://maps.app.goo.gl/x',
    });
    const rows = await app.test.database.query(
      'select to_jsonb(e)::text as text from eventos e where guia_id = $1',
      [guia.id],
    );
    expect(rows.length).toBeGreaterThanOrEqual(5);
    const stored = JSON.stringify([rows, await lives.events(guia)]);
    for (const secret of secrets)
      expect({ secret, isStored: stored.includes(secret) }).toEqual({ secret, isStored: false });
  });
});
