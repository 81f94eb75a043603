import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../support/browser.js';
import { CONSOLE_USERS } from '../support/console.js';
import { eventually, settled } from '../support/eventually.js';
import { seedGuias } from '../support/guias-seed.js';
import type { StubAnswer } from '../support/http-stub.js';
import { createBridgedApp, type BridgedApp } from '../support/messaging.js';
import { Person } from '../support/person.js';
import { guiaBody, type TestMerchant, type TestOperator } from '../support/test-app.js';
import { ALLOW_PRIVATE, Hooks, startReceiver, type Receiver } from '../support/webhooks.js';

/** Guides that nobody has confirmed for a day; `npm run torture -- dia` makes more. */
const UNCONFIRMED = Number(process.env.DIA_GUIAS ?? 30);

/** Messages that failed. */
const FAILED = Math.round((UNCONFIRMED * 600) / 2_600);

/** s that the bridge fails, and the messages that wait then; 0: never. */
const OUTAGE_S = Number(process.env.DIA_CAIDA_S ?? 0);
const WAITING = 3_000;

/** What the bridge answers to the messages of each cause. */
const CAUSES: StubAnswer[] = [302, 400, 404, 422].map((status) => ({ status }));

const HOUR_MS = 3_600_000;

describeInBrowser("support's day", () => {
  let app: BridgedApp;
  let receiver: Receiver;
  let hooks: Hooks;
  let shops: TestMerchant[];
  let operator: TestOperator;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    receiver = await startReceiver();
    app = await createBridgedApp({
      env: {
        BOARD_USERS: CONSOLE_USERS,
        TILE_URL: 'none',
        RATE_LIMIT_PER_MINUTE: '1000000',
        ...ALLOW_PRIVATE,
      },
    });
    hooks = new Hooks(app.test, receiver);
    shops = [];
    for (let n = 1; n <= 5; n++) {
      const shop = await app.test.merchant();
      await app.test.database.query('update comercios set nombre = $2 where id = $1', [
        shop.id,
        `Tienda ${n}`,
      ]);
      shops.push(shop);
    }
    operator = await app.test.operator();
    browser = await launchBrowser();
    context = await browser.newContext({ httpCredentials: { username: 'ana', password: 'clave-de-ana' } });
    page = await context.newPage();
    page.setDefaultTimeout(120_000);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    await receiver?.close();
  });

  /** Opens *Hoy*. A busy machine leaves out what it cannot count in time. */
  const home = () =>
    eventually(async () => {
      await page.goto(`${app.test.url}/admin`);
      expect(await page.getByText('No se pudo consultar').count()).toBe(0);
    });
  let phones = 0;
  const phone = () => `+5025777${String(++phones).padStart(4, '0')}`;
  /** Messages of a type that the bridge took, by guide. */
  const taken = () => {
    const counts = new Map<string, number>();
    for (const { json } of app.bridge.requests) counts.set(json.guia, (counts.get(json.guia) ?? 0) + 1);
    return counts;
  };

  it('is worked down by at most 40 clicks, and each recipient gets one message', async () => {
    const { database } = app.test;
    const before = new Date().getTime() - 48 * HOUR_MS;
    for (const [n, shop] of shops.entries()) {
      const count = Math.round((UNCONFIRMED * (n + 1)) / 15);
      const telefono = `'+5024${n}' || lpad(n::text, 6, '0')`;
      await seedGuias(database, shop.id, { count, at: `${before} + n`, telefono });
    }
    const failing = new Map<string, StubAnswer>();
    for (let n = 0; n < FAILED; n++) failing.set(phone(), CAUSES[n % CAUSES.length]!);
    app.bridge.otherwise((request) => failing.get(request.json.telefono) ?? {});
    const made = await Promise.all(
      [...failing.keys()].map((telefono, n) => app.messaging.create(shops[n % 5]!, { telefono })),
    );
    await settled(app.test);
    app.bridge.otherwise({});
    app.bridge.requests.length = 0;

    await home();
    const ana = new Person(page);
    const actions = page.getByRole('button', { name: /^(Reenviar est|Pedir de nuevo)/ });
    for (;;) {
      // The first of a cause is for all its merchants.
      const count = await actions.count();
      if (count === 0) break;
      await ana.click(actions.first());
      await ana.click(page.getByRole('button', { name: /^Sí, a / }));
      await page.waitForURL('**/admin/masivas/*');
      await eventually(async () => {
        const rows = await database.query('select from masivas where terminado_en is null');
        expect(rows).toEqual([]);
      });
      await settled(app.test);
      await ana.click(page.locator('main').getByRole('link', { name: 'Hoy', exact: true }));
      await page.getByRole('heading', { name: 'Hoy', level: 1 }).waitFor();
      await home();
    }
    ana.report(`${UNCONFIRMED} unconfirmed guides and ${FAILED} failed messages worked down`);
    expect(ana.interactions).toBeLessThanOrEqual(40);
    const unconfirmed = await database.query<{ guia: string }>(
      `select guia from guias where creada_en < now() - interval '1 day'`,
    );
    const all = [...unconfirmed, ...made].map(({ guia }) => guia);
    expect([...taken()].filter(([, times]) => times !== 1)).toEqual([]);
    expect([...taken().keys()].sort()).toEqual(all.sort());
  });

  describe('has ten calls, which take so many clicks to know and to mend:', () => {
    const known: number[] = [];
    const mended: number[] = [];
    const median = (list: number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]!;

    /** Takes a call from the first page on. */
    const call = async (know: (ana: Person) => Promise<unknown>, mend: (ana: Person) => Promise<unknown>) => {
      await home();
      const ana = new Person(page);
      await know(ana);
      known.push(ana.interactions);
      const before = ana.interactions;
      await mend(ana);
      mended.push(ana.interactions - before);
    };
    const make = async (over: object = {}) => {
      const telefono = phone();
      const guia = await app.messaging.create(shops[0]!, { telefono, ...over });
      await settled(app.test);
      return { ...guia, telefono, local: telefono.slice(4) };
    };
    const move = async (made: ReturnType<typeof make>, ...estados: string[]) => {
      const guia = await made;
      for (const estado of estados) {
        const more = estado === 'intento_fallido' && { motivo: 'direccion_incorrecta' };
        const paid = estado === 'entregado' && { cod_cobrado: 0 };
        expect((await operator.move(guia.id, { estado, ...more, ...paid })).status).toBe(201);
      }
      await settled(app.test);
      return guia;
    };
    const PLACE = { lat: 14.64, lng: -90.51 };
    const TO_DOOR = ['en_camino_a_recoger', 'recogido', 'en_ruta'];
    const search = (ana: Person, q: string) => ana.enter(page.getByRole('searchbox').first(), q);
    const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
    const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
    /** Opens a form of the guide's page, fills it, and sends it. */
    const ask = async (ana: Person, label: string, confirm: string, field?: string, text?: string) => {
      const isBehind = !(await page.getByText(label, { exact: true }).first().isVisible());
      if (isBehind) await ana.click(page.getByText('Más', { exact: true }));
      await ana.click(page.getByText(label, { exact: true }).first());
      if (field !== undefined) await page.locator(`form:visible [name="${field}"]`).first().fill(text!);
      await ana.click(button(confirm));
      await page.getByRole('status').or(page.getByRole('alert')).first().waitFor();
    };

    type Made = Awaited<ReturnType<typeof make>>;
    type Asked = [label: string, confirm: string, field?: string, text?: string];

    it.each<[what: string, make: () => Promise<Made>, typed: 'local' | 'guia', seen: string | RegExp, Asked]>(
      [
        [
          'the message never came',
          () => {
            app.bridge.answer({ status: 422 });
            return make();
          },
          ...(['local', 'El mensaje no llegó'] as const),
          ['Corregir el teléfono', 'Sí, corregir', 'telefono', '5777 9999'],
        ],
        [
          'the place is wrong',
          () => make(PLACE),
          ...(['local', 'El destino está confirmado.'] as const),
          ['Corregir el lugar', 'Sí, corregir', 'lugar', '14.62, -90.52'],
        ],
        [
          'the courier says that the address is wrong',
          () => move(make(PLACE), ...TO_DOOR, 'intento_fallido'),
          ...(['guia', 'No se pudo entregar'] as const),
          ['Pedir la ubicación', 'Sí, pedirla'],
        ],
        [
          'it is delivered, and money is missing',
          () => move(make({ ...PLACE, cod_amount: 349.5 }), ...TO_DOOR, 'entregado'),
          ...(['guia', /había que cobrar/] as const),
          ['Deshacer el último cambio', 'Sí, deshacer', 'motivo', 'No se anotó lo cobrado.'],
        ],
        [
          'the parcel is not theirs',
          make,
          ...(['local', 'Sin confirmar'] as const),
          ['No es suyo', 'Sí, no es suyo'],
        ],
        [
          'they want no more messages',
          make,
          ...(['local', 'Sin confirmar'] as const),
          ['No escribir más a este número', 'Sí, no escribir más'],
        ],
        [
          'it was marked as delivered by mistake',
          () => move(make(PLACE), ...TO_DOOR, 'entregado'),
          ...(['guia', 'Entregada'] as const),
          ['Deshacer el último cambio', 'Sí, deshacer', 'motivo', 'Tocó el botón sin querer.'],
        ],
      ],
    )('%s', async (_, begin, typed, seen, asked) => {
      const guia = await begin();
      await call(
        async (ana) => {
          await search(ana, guia[typed]);
          await see(seen);
        },
        (ana) => ask(ana, ...asked),
      );
    });

    it('the webhook got nothing', async () => {
      const hook = await hooks.endpoint(shops[1]!, { eventos: ['guia.creada'] });
      receiver.alwaysAt(hook.at, { status: 410 });
      await hooks.guia(shops[1]!, {});
      await eventually(async () =>
        expect((await hooks.of(hook)).map(({ estado }) => estado)).toEqual(['fallida']),
      );
      receiver.alwaysAt(hook.at, { status: 200 });
      await call(
        async (ana) => {
          const region = page.getByRole('table', { name: 'Endpoints que fallan' });
          await ana.click(region.getByRole('link').first());
          await see(/410/);
        },
        async (ana) => {
          await ana.click(page.getByText('Activar y enviar todo lo que falta'));
          await ana.click(button('Sí, activar y enviar'));
          await see('El endpoint está activo');
        },
      );
    });

    it('which guide is this reference', async () => {
      const { guia } = await make({ external_ref: 'PEDIDO-77-X' });
      await call(
        async (ana) => {
          await search(ana, 'PEDIDO-77-X');
          await page.waitForURL(`**/admin/guias/${guia}`);
        },
        () => Promise.resolve(),
      );
    });

    it('how many wait at a shop, and ask them again', async () => {
      const at = `${Date.now() - 48 * HOUR_MS} + n`;
      await seedGuias(app.test.database, shops[2]!.id, {
        count: 7,
        at,
        telefono: `'+50266' || lpad(n::text, 6, '0')`,
      });
      await call(
        async (ana) => {
          await ana.click(page.getByRole('link', { name: 'Por comercio' }));
          await page.getByRole('link', { name: 'Tienda 3', exact: true }).first().waitFor();
        },
        async (ana) => {
          await ana.click(page.getByRole('link', { name: 'Tienda 3', exact: true }).first());
          await ana.click(page.getByRole('button', { name: /^Pedir de nuevo a estas 7/ }).first());
          await ana.click(page.getByRole('button', { name: 'Sí, a las 7' }));
          await page.waitForURL('**/admin/masivas/*');
        },
      );
    });

    it('at most two to know, and three to mend, in the median', () => {
      process.stdout.write(`ten calls: clicks to know ${known.join(' ')}, to mend ${mended.join(' ')}\n`);
      expect(known).toHaveLength(10);
      expect([median(known), median(mended)].map((n, i) => n <= [2, 3][i]!)).toEqual([true, true]);
    });
  });

  if (OUTAGE_S > 0)
    it('shows an outage of the bridge, after which all that waited leaves once', async () => {
      await settled(app.test);
      app.bridge.requests.length = 0;
      app.bridge.otherwise({ status: 500, json: { detail: 'sin saldo' } });
      const shop = shops[3]!;
      const began = Date.now();
      for (let from = 0; from < WAITING; from += 100) {
        const guias = Array.from({ length: 100 }, () => guiaBody({ telefono: phone() }));
        expect((await shop.post('/api/v1/guias/lote', { guias })).status).toBe(200);
      }
      await home();
      const seen = async () => (await page.getByText('Mensajes detenidos').count()) > 0;
      while (!(await seen())) {
        await sleep(1_000);
        await home();
      }
      const shown = Date.now() - began;
      await sleep(Math.max(0, OUTAGE_S * 1_000 - (Date.now() - began)));
      const failed = app.bridge.requests.length;
      app.bridge.otherwise({});
      const recovered = Date.now();
      const delivered = () => app.bridge.requests.length - failed;
      while (delivered() === 0) await sleep(50);
      const first = Date.now() - recovered;
      while (delivered() < WAITING) await sleep(100);
      const done = Date.now() - recovered;
      await settled(app.test);
      process.stdout.write(
        `outage of ${OUTAGE_S} s: seen after ${shown} ms, ${failed} tries meanwhile; first message ${first} ms after the ` +
          `recovery, all ${WAITING} after ${done} ms\n`,
      );
      const ids = app.bridge.requests.slice(failed).map(({ json }) => json.id as string);
      expect([ids.length, new Set(ids).size]).toEqual([WAITING, WAITING]);
    });
});
