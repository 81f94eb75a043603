import { v7 } from 'uuid';
import { formsOf, type PageForm } from '../support/console.js';
import { seedGuias } from '../support/guias-seed.js';
import { PanelBrowser } from '../support/panel.js';
import { guiaBody, type TestMerchant } from '../support/test-app.js';
import { useSharedApp } from '../support/use.js';

/** Bodies that no form of a browser is. */
const STRANGE_BODIES: [type: string | undefined, body: string | Uint8Array<ArrayBuffer>][] = [
  ['application/json', '{"clave":1,"guias":[{}],"texto":{"a":null},"archivo":{"bytes":"x"}}'],
  ['application/json', '[]'],
  ['application/json', '"x"'],
  ['application/json', 'null'],
  ['application/json', '{'],
  ['text/plain', 'clave=x'],
  ['text/csv', 'clave\nx'],
  ['application/x-www-form-urlencoded', '%'],
  ['application/x-www-form-urlencoded', 'a=%ff&a=b'],
  ['application/x-www-form-urlencoded', '__proto__=x&constructor=y&=z&&&'],
  ['application/x-www-form-urlencoded; charset=iso-8859-1', Uint8Array.of(0x61, 0x3d, 0xf1)],
  ['application/x-www-form-urlencoded; charset=utf-16', Uint8Array.of(0xff, 0xfe, 0x61, 0)],
  ['multipart/form-data', 'x'],
  ['multipart/form-data; boundary=x', '--x--'],
  ['multipart/form-data; boundary=x', `--x\r\n`.repeat(1_000)],
  ['application/x-www-form-urlencoded', `texto=${'x'.repeat(40 * 1024)}`],
];

/** The key of a form that was not sent before. */
const fresh = (): [string, string] => ['clave', v7()];

/** Texts that somebody may put into any field. */
const STRANGE_TEXTS = [
  '\0',
  '\ud7ff\u2028\u202e',
  '-1',
  '1e999',
  'NaN',
  ','.repeat(3_000),
  '{"a":1}',
  '../../x',
  "'; --",
];

describe('the forms of the panel', () => {
  const test = useSharedApp();
  let merchant: TestMerchant;
  let browser: PanelBrowser;
  let forms: PageForm[];

  /** Forms whose addresses differ by ids alone are one. */
  const kindOf = (action: string) => action.replace(/[0-9a-f-]{36}|\d{12}/g, '…');

  beforeAll(async () => {
    merchant = await test.merchant();
    // Nobody has answered since the day before yesterday.
    await seedGuias(test.database, merchant.id, { count: 2, at: String(Date.now() - 2 * 86_400_000) });
    const made = await merchant.post('/api/v1/guias', guiaBody());
    browser = await PanelBrowser.in(test, merchant);
    const file = 'Cliente,Tel,Ciudad\nAna,x,Mixco\nEva,55550101,Mixco\n';
    const kept = await browser.upload('/panel/importar', { name: 'a.csv', bytes: file });
    const withPickup = await browser.upload('/panel/importar', {
      name: 'b.csv',
      bytes: 'Cliente,Tel,Ciudad,recogida.lat,recogida.lng\nEva,55550101,Mixco,14.6,-90.5\n',
    });
    const paths = [
      ...[
        '/panel',
        '/panel/guias',
        '/panel/guias/nueva',
        '/panel/importar',
        '/panel/cobros',
        '/panel/claves',
        '/panel/tienda',
      ],
      ...[
        `/panel/guias/${made.body.guia}`,
        kept.headers.get('location')!,
        withPickup.headers.get('location')!,
      ],
    ];
    const pages = await Promise.all(paths.map((path) => browser.page(path)));
    const all = new Map(pages.flatMap((page) => formsOf(page).map((form) => [kindOf(form.action), form])));
    all.delete('/panel/salir');
    forms = [...all.values()];
  });

  it('are known to this test', () => {
    expect(forms.map(({ action }) => kindOf(action)).sort()).toEqual([
      '/panel/claves',
      '/panel/claves/…/terminar',
      '/panel/etiquetas',
      '/panel/guias',
      '/panel/guias/nueva',
      '/panel/guias/nueva/revisar',
      '/panel/guias/nueva/texto',
      '/panel/guias/…/cambiar',
      '/panel/guias/…/cancelar',
      '/panel/guias/…/pedir',
      '/panel/importar',
      '/panel/importar/…/columnas',
      '/panel/importar/…/crear',
      '/panel/importar/…/filas',
      '/panel/importar/…/recogida',
      '/panel/pedir',
      '/panel/tienda',
    ]);
  });

  it('are refused from a page of another site', async () => {
    const others = [
      { action: '/panel', hidden: [['api_key', merchant.key]] },
      { action: '/panel/salir', hidden: [] },
    ];
    for (const { action, hidden } of [...forms, ...others]) {
      const { status } = await browser.postList(action, hidden as [string, string][], {
        'sec-fetch-site': 'cross-site',
      });
      expect([action, status]).toEqual([action, 403]);
    }
    expect(await browser.page('/panel')).toContain('<h1>Hoy</h1>');
  });

  it('and pages lead to the sign-in form without a session', async () => {
    const nobody = new PanelBrowser(test);
    const pages = ['/panel/guias', '/panel/claves', '/panel/cobros', '/panel/liquidaciones/x/csv'];
    const answers = [
      ...forms.map(({ action, hidden }) => nobody.postList(action, hidden)),
      ...pages.map((path) => nobody.get(path)),
    ];
    for (const { status, headers } of await Promise.all(answers))
      expect([status, headers.get('location')]).toEqual([303, '/panel']);
  });

  it("answer 404 to another merchant's ids, in the address and in what is chosen", async () => {
    const stranger = await PanelBrowser.in(test, await test.merchant());
    for (const { action, hidden, names } of forms) {
      const isNamed = action !== kindOf(action) || names.includes('guias');
      if (!isNamed) continue;
      const chosen = hidden.filter(([name]) => name === 'guias');
      const guias = chosen.length > 0 ? chosen : [['guias', await numberOf()] as [string, string]];
      const sent = [...hidden.filter(([name]) => name !== 'guias'), ...guias];
      const { status, text } = await stranger.postList(action, sent);
      expect([action, status]).toEqual([action, 404]);
      expect(text).toContain('<h1>No se encontró</h1>');
    }
  });

  const numberOf = async () => (await merchant.get('/api/v1/guias?limit=1')).body.guias[0].guia as string;

  it('have an answer to every text in every field', async () => {
    for (const { action, hidden, names } of forms)
      for (const text of STRANGE_TEXTS)
        for (const strange of [names.filter((name) => name !== 'clave'), ['clave'], ['guias']]) {
          const kept = hidden.filter(([name]) => !['clave', ...strange].includes(name));
          const sent = strange.map((name): [string, string] => [name, text]);
          const { status } = await browser.postList(action, [
            ...kept,
            ...(strange.includes('clave') ? [] : [fresh()]),
            ...sent,
          ]);
          expect({ action, strange, text, ok: status < 500 }).toEqual({ action, strange, text, ok: true });
        }
  });

  it('have an answer to every body', async () => {
    for (const { action } of forms)
      for (const [type, body] of STRANGE_BODIES) {
        const { status, text } = await browser.send(action, body, type);
        const shown = { action, type, body: body.slice(0, 60).toString() };
        expect({ ...shown, ok: status < 500 }).toEqual({ ...shown, ok: true });
        if (status >= 400)
          expect({ ...shown, text }).toMatchObject({ text: expect.stringContaining('<h1>') });
      }
  });

  it('and the addresses of pages have an answer to every text', async () => {
    const paths = [
      ...[
        'guias?q=',
        'guias?estado=',
        'guias?hoy=si&estado=entregado&pagina=',
        'guias?cursor=',
        'guias?impresa=',
      ],
      ...[
        'guias/',
        'importar/',
        'liquidaciones/',
        'liquidaciones?cursor=',
        'cobros?desde=',
        'cobros?cursor=',
      ],
      ...['cobros/csv?hasta=', 'cobros?estado=', '?hecho=', 'claves?hecho=', 'assets/'],
    ];
    for (const path of paths)
      for (const text of [...STRANGE_TEXTS, '999999999', '%'].map(encodeURIComponent)) {
        const { status } = await browser.get(`/panel/${path}${text}`.replace('/?', '?'));
        expect({ path, text, ok: status < 500 }).toEqual({ path, text, ok: true });
      }
    for (const path of ['guias?q=%', 'guias?q=%ff', 'guias/%ff', 'guias?q=a&q=b', 'guias?estado[]=x'])
      expect((await browser.get(`/panel/${path}`)).status).toBeLessThan(500);
  });
});
