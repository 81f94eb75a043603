import { AppError } from '../../src/platform/errors/app-error.js';
import { ERRORS, type ErrorCode } from '../../src/platform/errors/error-codes.js';
import { GuiasService } from '../../src/guias/guias.service.js';
import { Readiness } from '../../src/platform/health/readiness.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { Driver } from '../support/driver.js';
import { Lives } from '../support/lives.js';
import { Money } from '../support/money.js';
import { wrongPin } from '../support/pins.js';
import { expectProblem } from '../support/problem.js';
import { exchange, requestHead } from '../support/raw-http.js';
import { createTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import {
  createTestApp,
  guiaBody,
  type Answer,
  type TestApp,
  type TestMerchant,
  withTestApp,
} from '../support/test-app.js';

const GUIAS = '/api/v1/guias';

describe('error answers', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let test: TestApp;
  let merchant: TestMerchant;
  let asked: Promise<{ id: string }> | undefined;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await createTcpProxy(database);
    test = await createTestApp({ database: proxy.database });
    merchant = await test.merchant();
  });
  afterAll(async () => {
    await test.close();
    await proxy.close();
    await database.drop();
  });

  /** An answer outside the API of a service that throws: for codes of staff's pages, which answer with a page. */
  const thrownToStaff = (codigo: ErrorCode) => {
    jest.spyOn(test.app.get(Readiness), 'check').mockRejectedValueOnce(new AppError(codigo));
    return test.request('/readyz');
  };
  /** The answer while the table of guides has another name. */
  const withoutTable = async <T>(run: () => Promise<T>) => {
    await database.query('alter table guias rename to guias_elsewhere');
    try {
      return await run();
    } finally {
      await database.query('alter table guias_elsewhere rename to guias');
    }
  };
  const withoutDatabase = <T>(run: () => Promise<T>) => {
    proxy.set({ kind: 'cut' });
    return run().finally(() => proxy.set({ kind: 'fair' }));
  };
  const limited = () =>
    withTestApp({ database: proxy.database, env: { RATE_LIMIT_PER_MINUTE: '1' } }, async (app) => {
      const by = await app.merchant();
      await by.get(GUIAS);
      return by.get(GUIAS);
    });
  const halfARequest = () =>
    withTestApp({ database: proxy.database, timeLimits: { receive: 200 } }, ({ url }) =>
      exchange(url, requestHead('GET', GUIAS, {}).slice(0, 30)),
    );
  const newGuia = async () => (await merchant.post(GUIAS, guiaBody())).body as { id: string };
  /** A new test guide's simulation, 60 s a step. */
  const newSimulation = async (tester: TestMerchant) => {
    const { id } = (await tester.post(GUIAS, guiaBody())).body as { id: string };
    return (guion: string) =>
      tester.post(`/api/v1/pruebas/guias/${id}/simular`, { guion, cada_segundos: 60 });
  };
  /** The last answer to deliveries of a guide, each with another wrong PIN. */
  const withWrongPins = async (count: number) => {
    const money = await Money.start(test);
    await database.query('update comercios set con_pin = true where id = $1', [money.merchant.id]);
    const { id } = await money.lives.in('en_ruta');
    let last: Answer | undefined;
    for (let n = 1; n <= count; n++)
      last = await money.operator.move(id, { estado: 'entregado', pin: wrongPin(id, n) });
    return last!;
  };
  /** An answer of a recipient, always of the same guide. */
  const confirm = async (body: object) => {
    asked ??= newGuia();
    const { body: detail } = await merchant.get(`${GUIAS}/${(await asked).id}`);
    return test.request(new URL(detail.guia.seguimiento as string).pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  };
  const link = (maps_url: string) => merchant.post(GUIAS, guiaBody({ recogida: { maps_url } }));

  /** The contract's table, with a request for each line. `efectivo_entregado` is of an item of a driver's batch alone: `ruta.spec.ts`. */
  const TABLE: Record<
    Exclude<ErrorCode, 'efectivo_entregado'>,
    [status: number, title: string, run: () => Promise<Answer>]
  > = {
    validacion: [400, 'Solicitud inválida', () => merchant.post(GUIAS, {})],
    json_invalido: [400, 'Solicitud inválida', () => merchant.post(GUIAS, '{')],
    http_invalido: [400, 'Solicitud inválida', () => exchange(test.url, `FETCH ${GUIAS} HTTP/1.1\r\n\r\n`)],
    csv_invalido: [
      400,
      'Solicitud inválida',
      () => merchant.post(`${GUIAS}/lote`, 'telefono\n"', { 'content-type': 'text/csv' }),
    ],
    cursor_invalido: [400, 'Solicitud inválida', () => merchant.get(`${GUIAS}?cursor=x`)],
    no_autenticado: [401, 'No autenticado', () => test.request(GUIAS)],
    sin_permiso: [
      403,
      'Sin permiso',
      async () => (await test.keyOf(merchant.id, { scopes: ['guias:leer'] })).post(GUIAS, guiaBody()),
    ],
    requiere_clave_de_prueba: [403, 'Sin permiso', () => merchant.get('/api/v1/pruebas/mensajes')],
    comercio_cerrado: [
      403,
      'Sin permiso',
      async () => {
        const closed = await test.merchant();
        await database.query('update comercios set cerrado_en = now() where id = $1', [closed.id]);
        return closed.post(GUIAS, guiaBody());
      },
    ],
    no_encontrado: [404, 'No encontrado', () => merchant.get(`${GUIAS}/x`)],
    metodo_no_permitido: [405, 'Método no permitido', () => test.request(GUIAS, { method: 'DELETE' })],
    solicitud_lenta: [408, 'Solicitud demasiado lenta', halfARequest],
    transicion_invalida: [
      409,
      'Cambio de estado inválido',
      async () => (await test.operator()).move((await newGuia()).id, { estado: 'entregado' }),
    ],
    guia_no_modificable: [
      409,
      'Guía no modificable',
      async () => {
        const { id } = await newGuia();
        await merchant.post(`${GUIAS}/${id}/cancelar`);
        return merchant.patch(`${GUIAS}/${id}`, { notas: 'x' });
      },
    ],
    nada_que_deshacer: [
      409,
      'Nada que deshacer',
      async () => {
        const money = await Money.start(test);
        const { id } = await money.lives.create();
        return money.operator.post(`/api/v1/operaciones/guias/${id}/deshacer`, { motivo: 'x' });
      },
    ],
    pin_incorrecto: [409, 'PIN incorrecto', () => withWrongPins(1)],
    pin_agotado: [409, 'PIN agotado', () => withWrongPins(6)],
    cobro_liquidado: [
      409,
      'Cobro ya liquidado',
      async () => {
        const money = await Money.start(test);
        const { id } = await money.deliver(5);
        await money.settle();
        return money.correct(id, { cod_cobrado: 4 });
      },
    ],
    nada_por_liquidar: [409, 'Nada por liquidar', async () => (await Money.start(test)).settle()],
    neto_negativo: [
      409,
      'Neto negativo',
      async () => {
        const money = await Money.start(test);
        await money.adjust(-5);
        return money.settle();
      },
    ],
    ajuste_liquidado: [
      409,
      'Ajuste liquidado',
      async () => {
        const money = await Money.start(test);
        const { id } = (await money.adjust(5)).body.ajuste;
        await money.settle();
        return money.operator.delete(`/api/v1/operaciones/ajustes/${id}`);
      },
    ],
    ajuste_automatico: [
      409,
      'Ajuste automático',
      async () => {
        const money = await Money.start(test);
        const { id } = (await money.adjust(5)).body.ajuste;
        await database.query('update ajustes set automatico = true where id = $1', [id]);
        return money.operator.delete(`/api/v1/operaciones/ajustes/${id}`);
      },
    ],
    nada_por_entregar: [
      409,
      'Nada por entregar',
      async () => {
        const operator = await test.operator();
        const { piloto } = (await operator.post('/api/v1/operaciones/pilotos', { nombre: 'Marvin' })).body;
        return operator.post(`/api/v1/operaciones/pilotos/${piloto.id}/caja/entregas`, {
          moneda: 'GTQ',
          monto: 5,
        });
      },
    ],
    liquidacion_demasiado_grande: [
      409,
      'Liquidación demasiado grande',
      async () => {
        const money = await Money.start(test);
        await money.seed(20_001, 'n');
        return money.settle();
      },
    ],
    liquidacion_pagada: [
      409,
      'Liquidación ya pagada',
      async () => {
        const money = await Money.start(test);
        await money.deliver(5);
        const { id } = (await money.settle()).body.liquidacion;
        await money.pay(id, { referencia_pago: 'una' });
        return money.pay(id, { referencia_pago: 'otra' });
      },
    ],
    limite_de_webhooks: [
      409,
      'Demasiados webhooks',
      async () => {
        const busy = await test.merchant();
        const url = 'https://tienda.example/avisos';
        for (let i = 0; i < 20; i++) await busy.post('/api/v1/webhooks', { url });
        return busy.post('/api/v1/webhooks', { url });
      },
    ],
    piloto_inactivo: [
      409,
      'Piloto inactivo',
      async () => {
        const operator = await test.operator();
        const { piloto } = (await operator.post('/api/v1/operaciones/pilotos', { nombre: 'Marvin' })).body;
        await operator.patch(`/api/v1/operaciones/pilotos/${piloto.id}`, { activo: false });
        return operator.post(`/api/v1/operaciones/pilotos/${piloto.id}/enlace`);
      },
    ],
    guia_de_otro: [
      409,
      'Guía de otro piloto',
      async () => {
        const operator = await test.operator();
        const { id, guia } = await new Lives(test, merchant).create();
        await (await Driver.start(test, operator)).assign(id);
        return (await Driver.start(test, operator, 'Rosa')).post('tomar', { guia });
      },
    ],
    simulacion_en_curso: [
      409,
      'Simulación en curso',
      async () => {
        const tester = await test.tester();
        const simular = await newSimulation(tester);
        await simular('entrega');
        return simular('extravio');
      },
    ],
    limite_de_simulaciones: [
      409,
      'Demasiadas simulaciones',
      async () => {
        const tester = await test.tester();
        for (let i = 0; i < 50; i++) await (await newSimulation(tester))('entrega');
        return (await newSimulation(tester))('entrega');
      },
    ],
    webhook_desactivado: [
      409,
      'Webhook desactivado',
      async () => {
        const { body } = await merchant.post('/api/v1/webhooks', { url: 'https://tienda.example/avisos' });
        const path = `/api/v1/webhooks/${body.webhook.id}`;
        await merchant.patch(path, { activo: false });
        return merchant.post(`${path}/reenviar`, { desde: '2026-11-21' });
      },
    ],
    mensaje_no_permitido: [
      409,
      'Mensaje no permitido',
      async () => {
        const money = await Money.start(test);
        const { id } = await money.lives.in('entregado');
        return money.merchant.post(`${GUIAS}/${id}/pedir-ubicacion`);
      },
    ],
    lugar_cambiado: [
      409,
      'Lugar cambiado',
      async () => {
        await confirm({ lat: 14.6407, lng: -90.5133 });
        return confirm({ lat: 14.65, lng: -90.5133, version: '' });
      },
    ],
    limite_de_archivos: [409, 'Demasiados archivos', () => thrownToStaff('limite_de_archivos')],
    formulario_no_vigente: [409, 'Formulario no vigente', () => thrownToStaff('formulario_no_vigente')],
    tarea_no_fallida: [409, 'Tarea no fallida', () => thrownToStaff('tarea_no_fallida')],
    version_obsoleta: [
      412,
      'Versión obsoleta',
      async () => merchant.patch(`${GUIAS}/${(await newGuia()).id}`, { notas: 'x' }, { 'if-match': '"7"' }),
    ],
    cuerpo_demasiado_grande: [413, 'Cuerpo demasiado grande', () => merchant.post(GUIAS, ' '.repeat(40_000))],
    tipo_no_soportado: [
      415,
      'Tipo de contenido no soportado',
      () => merchant.post(GUIAS, guiaBody(), { 'content-type': 'text/plain' }),
    ],
    expectativa_no_soportada: [
      417,
      'Expectativa no soportada',
      () => exchange(test.url, requestHead('GET', '/livez', { Expect: 'foo' })),
    ],
    precision_baja: [
      422,
      'Posición poco exacta',
      () => confirm({ lat: 14.6407, lng: -90.5133, precision_m: 101 }),
    ],
    enlace_sin_coordenadas: [
      422,
      'Enlace no utilizable',
      () => link('https://www.google.com/maps/place/Parque+Central/'),
    ],
    enlace_no_soportado: [422, 'Enlace no utilizable', () => link('https://example.com/')],
    enlace_roto: [
      422,
      'Enlace no utilizable',
      () => {
        const error = new AppError('enlace_roto');
        jest.spyOn(test.app.get(GuiasService), 'create').mockRejectedValueOnce(error);
        return merchant.post(GUIAS, guiaBody());
      },
    ],
    demasiadas_solicitudes: [429, 'Demasiadas solicitudes', limited],
    encabezados_excesivos: [
      431,
      'Demasiados encabezados',
      () => exchange(test.url, requestHead('GET', '/livez', { 'X-Long': 'a'.repeat(20_000) })),
    ],
    error_interno: [500, 'Error interno', () => withoutTable(() => merchant.get(GUIAS))],
    no_disponible: [503, 'Servicio no disponible', () => withoutDatabase(() => merchant.get(GUIAS))],
  };

  it('say when to try again also on the page of a recipient', async () => {
    const { status, headers } = await withoutDatabase(() => test.request(`/c/${'A'.repeat(24)}`));
    expect([status, headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect(headers.get('retry-after')).toBe('1');
    const asProgram = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    const { body } = await withoutDatabase(() => test.request(`/c/${'A'.repeat(24)}`, asProgram));
    expect(body.detail).toBe('Inténtalo de nuevo después de los segundos que indica `Retry-After`.');
  });

  it.each(['no_disponible', 'error_interno'] as const)(
    'advise to repeat the same request, but a create without a key only if it is not in the list: %s',
    async (codigo) => {
      const during = { no_disponible: withoutDatabase, error_interno: withoutTable }[codigo];
      const { id } = await newGuia();
      const body = { guias: [id], formato: 'pdf', tamano: '100x150' };
      const answers = await during(() =>
        Promise.all([
          merchant.get(GUIAS),
          merchant.post(GUIAS, guiaBody()),
          merchant.patch(`${GUIAS}/${id}`, { notas: 'x' }),
          merchant.post('/api/v1/etiquetas', body),
        ]),
      );
      for (const answer of answers) {
        expectProblem(answer, codigo);
        expect(answer.body.detail).toContain('Repita la misma solicitud');
        expect(answer.body.detail).toContain(
          'na guía sin `external_ref` ni `Idempotency-Key`, o un webhook, solo si no está ya en la lista.',
        );
      }
    },
  );

  it('are all in the table of this test', () => {
    expect([...Object.keys(TABLE), 'efectivo_entregado'].sort()).toEqual(Object.keys(ERRORS).sort());
  });

  it.each(Object.keys(TABLE) as (keyof typeof TABLE)[])(
    'have the status, title and headers of the contract: %s',
    async (codigo) => {
      const [status, title, run] = TABLE[codigo];
      const answer = await run();
      expectProblem(answer, codigo);
      expect({ status: answer.status, title: answer.body.title }).toEqual({ status, title });
      expect(answer.body.detail).not.toBe(title);
      const retry = { 429: expect.stringMatching(/^\d+$/), 503: expect.stringMatching(/^[1-9]\d?$/) };
      expect(answer.headers.get('retry-after')).toEqual(retry[status as 429] ?? null);
      expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
    },
  );

  it('says to WhatsApp that the service does not use it', async () => {
    const { body, status } = await test.request('/webhooks/whatsapp?hub.mode=subscribe&hub.verify_token=x');
    expect([status, body.detail]).toEqual([
      403,
      'Este servicio no usa WhatsApp: no tiene WHATSAPP_VERIFY_TOKEN.',
    ]);
  });

  it('has no icon for browsers, which is no mistake', async () => {
    const { status, text } = await test.request('/favicon.ico');
    expect([status, text]).toEqual([204, '']);
  });

  describe('an unknown route is 404, without a key', () => {
    it.each([
      ['GET', '/nada'],
      ['GET', '/api/v1'],
      ['POST', '/api/v1/guias/x/y'],
      ['DELETE', '/robots.txt'],
    ])('%s %s', async (method, path) => {
      const answer = await test.request(path, { method });
      expectProblem(answer, 'no_encontrado');
      expect(answer.body.detail).toBe(
        'No existe esta ruta. Revise la dirección: todas están en `/api/docs`.',
      );
    });

    it('with any body', async () => {
      const headers = { 'content-type': 'application/json' };
      for (const body of ['{}', '{', '']) {
        const { status } = await test.request('/nada', { method: 'POST', headers, body });
        expect({ body, status }).toEqual({ body, status: 404 });
      }
    });
  });

  describe('a known route with another method is 405 with Allow, without a key', () => {
    it.each([
      ['PUT', GUIAS, 'GET, HEAD, POST'],
      ['OPTIONS', GUIAS, 'GET, HEAD, POST'],
      ['DELETE', `${GUIAS}/01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57`, 'GET, HEAD, PATCH'],
      ['HEAD', `${GUIAS}/lote`, 'POST'],
      ['PATCH', `${GUIAS}/lote/?x=1`, 'POST'],
      ['POST', '/livez', 'GET, HEAD'],
    ])('%s %s', async (method, path, allow) => {
      const answer = await test.request(path, { method });
      if (method === 'HEAD') expect(answer.status).toBe(405);
      else expectProblem(answer, 'metodo_no_permitido');
      expect(answer.headers.get('allow')).toBe(allow);
    });

    it('with any body', async () => {
      const headers = { 'content-type': 'application/json' };
      for (const body of ['{}', '{', '']) {
        const { status } = await test.request(GUIAS, { method: 'PUT', headers, body });
        expect({ body, status }).toEqual({ body, status: 405 });
      }
    });
  });

  describe('X-Request-Id', () => {
    const KINDS: [status: number, send: (headers: Record<string, string>) => Promise<Answer>][] = [
      [200, (headers) => test.request('/livez', { headers })],
      [201, (headers) => merchant.post(GUIAS, guiaBody(), headers)],
      [400, (headers) => merchant.post(GUIAS, {}, headers)],
      [401, (headers) => test.request(GUIAS, { headers })],
      [404, (headers) => test.request(`${GUIAS}/${'x'.repeat(500)}`, { headers })],
      [413, (headers) => merchant.post(GUIAS, ' '.repeat(40_000), headers)],
      [500, (headers) => withoutTable(() => merchant.get(GUIAS, headers))],
    ];

    it.each(KINDS)('of the caller is kept on %i', async (status, send) => {
      for (const id of ['A.b_c-9', 'x'.repeat(64)]) {
        const answer = await send({ 'x-request-id': id });
        expect({ status: answer.status, id: answer.headers.get('x-request-id') }).toEqual({ status, id });
        if (status >= 400) expect(answer.body.instance).toBe(id);
      }
    });

    it.each(KINDS)('is new on %i where the caller sends none or a malformed one', async (_, send) => {
      const seen = new Set<string>();
      const bad: Record<string, string>[] = [
        {},
        ...['', 'a b', 'ñ', 'a,b', '../x', 'x'.repeat(65)].map((id) => ({ 'x-request-id': id })),
      ];
      for (const headers of bad) {
        const id = (await send(headers)).headers.get('x-request-id')!;
        expect(id).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
        seen.add(id);
      }
      expect(seen.size).toBe(bad.length);
    });
  });

  describe('500 error_interno', () => {
    it('shows no SQL, name, stack or secret, and its request id finds the cause in the log', async () => {
      const answer = await withoutTable(() => merchant.post(GUIAS, guiaBody({ nombre: 'Ana' })));
      expectProblem(answer, 'error_interno');
      expect(answer.text).not.toMatch(
        /select|insert|relation|42P01|node_modules|\.js|\.ts|\bat |Error:|postgres|Ana/i,
      );
      expect(answer.text).not.toContain(merchant.key);
      const line = test.logs.find(({ reqId, level }) => reqId === answer.body.instance && level === 50);
      expect(line).toMatchObject({
        codigo: 'error_interno',
        err: { code: '42P01', stack: expect.stringMatching(/\bat /) },
      });
    });
  });
});
