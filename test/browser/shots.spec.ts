import { launchBrowser } from '../support/browser.js';
import { startConfirmationHarness, LINK_WITHOUT_PLACE } from '../support/confirmation-harness.js';

const DIR = process.env.SHOTS!;
it('shoots', async () => {
  const h = await startConfirmationHarness();
  const browser = await launchBrowser();
  const go = async (name: string, opts: any, path: string, act?: (p: any, c: any) => Promise<void>) => {
    const ctx = await browser.newContext({
      viewport: { width: 360, height: 740 },
      deviceScaleFactor: 2,
      hasTouch: true,
      isMobile: true,
      locale: 'es-GT',
      timezoneId: 'America/Guatemala',
      ...opts,
    });
    const page = await ctx.newPage();
    page.on('console', (m: any) => console.log(name, m.type(), m.text()));
    page.on('pageerror', (e: any) => console.log(name, 'ERR', e.message));
    await page.goto(h.url + path);
    try {
      await act?.(page, ctx);
    } catch (e) {
      console.log(name, String(e));
    }
    await page.waitForTimeout(700);
    await page.screenshot({ path: `${DIR}/${name}.png`, fullPage: true });
    await ctx.close();
  };
  const geo = (accuracy: number) => ({
    permissions: ['geolocation'],
    geolocation: { latitude: 14.834999, longitude: -91.518069, accuracy },
  });
  const locate = async (p: any) => {
    await p.click('#locate');
    await p.waitForSelector('.pin');
  };
  for (const scheme of ['light', 'dark'] as const) {
    const o = { colorScheme: scheme };
    await go(`open-${scheme}`, o, h.open());
    await go(`nojs-${scheme}`, { ...o, javaScriptEnabled: false }, h.open());
    await go(`map-${scheme}`, { ...o, ...geo(18) }, h.open(), async (p) => {
      await locate(p);
      await p.focus('.pin');
      for (let i = 0; i < 4; i++) await p.keyboard.press('ArrowRight');
      await p.keyboard.press('ArrowUp');
    });
    await go(`map-bad-${scheme}`, { ...o, ...geo(850) }, h.open(), locate);
    await go(`denied-${scheme}`, o, h.open(), async (p) => {
      await p.click('#locate');
      await p.waitForSelector('#help strong');
    });
    await go(`error-${scheme}`, o, h.open(), async (p) => {
      await p.click('summary');
      await p.fill('#maps_url', LINK_WITHOUT_PLACE);
      await p.fill('#referencia', 'Casa azul');
      await p.click('#confirm');
      await p.waitForSelector('#error');
    });
    await go(`listo-${scheme}`, { ...o, ...geo(18) }, h.open(), async (p) => {
      await locate(p);
      await p.click('#confirm');
      await p.waitForSelector('.check');
    });
    await go(`missing-${scheme}`, o, '/c/nada');
  }
  await go(
    'correct-light',
    { ...geo(18) },
    h.open({ confirmada: { corregibleHasta: new Date(Date.now() + 9e5).toISOString() } }),
    async (p) => {
      await p.click('summary');
    },
  );
  await go(
    'listo-nojs',
    { javaScriptEnabled: false },
    h.open({ confirmada: { corregibleHasta: new Date(Date.now() + 9e5).toISOString() } }),
  );
  await go(
    'narrow',
    { viewport: { width: 320, height: 640 } },
    h.open({
      comercio: 'Supercalifragilisticoespialidosos_y_Compañía_S.A._de_C.V.',
      municipio: 'San Juan Ostuncalco de los Altos',
    }),
  );
  await go(
    'desktop',
    { viewport: { width: 1200, height: 800 }, isMobile: false, ...geo(18) },
    h.open(),
    locate,
  );
  await browser.close();
  await h.close();
}, 120000);
