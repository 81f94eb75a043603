import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../support/browser.js';
import { watchPage } from '../support/inspect-page.js';
import { createTestApp, type TestApp, type TestMerchant } from '../support/test-app.js';

/** Pages that need no app of their own. */
describeInBrowser('in a browser', () => {
  let test: TestApp;
  let merchant: TestMerchant;
  let browser: Browser;

  beforeAll(async () => {
    [browser, test] = await Promise.all([launchBrowser(), createTestApp()]);
    merchant = await test.merchant();
  });
  afterAll(async () => {
    await browser?.close();
    await test?.close();
  });

  describe('Swagger UI', () => {
    let page: Page;
    let seen: ReturnType<typeof watchPage>;

    beforeAll(async () => {
      page = await (await browser.newContext()).newPage();
      seen = watchPage(page, test.url);
      await page.goto(`${test.url}/api/docs`);
      await page.waitForSelector('.opblock');
    });

    const operation = (id: string) => page.locator(`[id="operations-Guías-${id}"]`);
    const execute = async (id: string) => {
      const block = operation(id);
      if ((await block.locator('.execute').count()) === 0)
        await block.locator('.opblock-summary-control').click();
      const answered = page.waitForResponse((response) => response.url().includes('/api/v1/'));
      await block.locator('.execute').click();
      await answered;
      return block.locator('.live-responses-table .response-col_status').last().textContent();
    };

    it('runs the first example with the key that was entered, and shows 201', async () => {
      await page.click('.auth-wrapper .authorize');
      const dialog = page.locator('.modal-ux');
      expect(await dialog.innerText()).toMatch(/Autorización[^]*Clave:[^]*Autorizar[^]*Cerrar/);
      await page.fill('.auth-container input', merchant.key);
      await page.click('.auth-btn-wrapper .authorize');
      expect(await dialog.innerText()).toMatch(/Autorizado[^]*Cerrar sesión[^]*Cerrar/);
      expect(await dialog.innerText()).not.toMatch(/\b(Authorize|Logout|Close|Value|http)\b/);
      await page.click('.auth-btn-wrapper .btn-done');
      expect(await execute('crearGuia')).toContain('201');
      const { body } = await merchant.get('/api/v1/guias');
      expect(body.guias).toHaveLength(1);
    });

    it('keeps the key when the page is loaded again', async () => {
      await page.reload();
      await page.waitForSelector('.opblock');
      // Until the page has settled a click may go to what is about to be replaced.
      await page.waitForLoadState('networkidle');
      expect(await execute('listarGuias')).toContain('200');
    });

    it('keeps the key for its tab alone', async () => {
      const other = await page.context().newPage();
      await other.goto(`${test.url}/api/docs`);
      await other.waitForSelector('.opblock');
      const kept = (tab: Page) =>
        tab.evaluate(() => [sessionStorage, localStorage].map((store) => JSON.stringify({ ...store })));
      expect(await kept(other)).toEqual(['{}', '{}']);
      expect((await kept(page)).map((store) => store.includes(merchant.key))).toEqual([true, false]);
      await other.close();
    });

    it('shows each error as a line, with its example on demand', async () => {
      const block = operation('listarGuias');
      const row = block.locator('.short-error[data-code="401"]');
      expect(await row.innerText()).toContain('no_autenticado: Falta la clave de API');
      await row.getByRole('button').click();
      await block.getByText('"no_autenticado"').first().waitFor();
      expect(await row.count()).toBe(0);
      expect(await block.locator('.short-error').count()).toBeGreaterThan(4);
    });

    it('lays the buttons that copy and download over no text, on a phone', async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      const block = operation('listarGuias');
      const answer = block.locator('.live-responses-table .highlight-code').first();
      for (const [text, button] of [
        [answer.locator('code').first(), answer.locator('.download-contents')],
        [answer.locator('code').first(), answer.locator('.copy-to-clipboard')],
        [block.locator('.curl-command code').first(), block.locator('.curl-command .copy-to-clipboard')],
      ] as const) {
        const above = (await button.boundingBox())!;
        expect(above.y + above.height).toBeLessThanOrEqual((await text.boundingBox())!.y);
      }
      await page.setViewportSize({ width: 1280, height: 720 });
    });

    it('leads to the guides of this very service', async () => {
      const links = await page
        .locator('a[href*="/api/docs/guias/"]')
        .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
      expect(links.length).toBeGreaterThan(4);
      for (const link of new Set(links)) {
        expect(link.startsWith(test.url)).toBe(true);
        expect((await fetch(link)).status).toBe(200);
      }
    });

    it('shows the parts of an example whole', async () => {
      const block = page.locator('[id="operations-Cobros-verLiquidacion"]');
      await block.locator('.opblock-summary-control').click();
      const example = await block.locator('.responses-wrapper .highlight-code').first().innerText();
      expect(JSON.parse(example)).toMatchObject({ liquidacion: { guias: 12, cobrado: 4193.5 } });
    });

    it('shows its own texts in Spanish', async () => {
      // A list with parameters, a body with examples, and an answer without a body.
      for (const id of ['imprimirEtiqueta', 'editarGuia']) {
        await operation(id).locator('.opblock-summary-control').click();
        await operation(id).locator('.responses-wrapper').waitFor();
      }
      const texts = new Set(
        await page.locator('body').evaluate((body) => {
          const found: string[] = [];
          const nodes = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT);
          while (nodes.nextNode()) {
            const { parentElement, textContent } = nodes.currentNode;
            if (!parentElement?.closest('pre, textarea, script, style, .renderedMarkdown'))
              found.push(textContent!.trim());
          }
          return found;
        }),
      );
      const wanted = [
        ...['Autorizar', 'Servidores', 'Esquemas', 'Webhooks', 'Parámetros', 'Nombre', 'Descripción'],
        ...['Cuerpo de la solicitud', 'Respuestas', 'Código', 'Enlaces', 'Sin enlaces', 'Tipo', 'Detalles'],
        ...['Ejecutar', 'Limpiar', 'Respuesta del servidor', 'Cuerpo de la respuesta'],
        ...['Encabezados de la respuesta', 'URL de la solicitud', 'Duración', 'Descargar'],
        ...['Ejemplos:', 'Ejemplo', 'Editar', 'Esquema', 'Encabezados:'],
      ];
      expect(wanted.filter((text) => !texts.has(text))).toEqual([]);
      const name = operation('editarGuia').locator('.parameter__name.required').first();
      const after = await name.evaluate((element) => getComputedStyle(element, '::after').content);
      expect(after).toContain('obligatorio');
      const english =
        /^(Servers|Parameters|No parameters|Request|Response|Name|Description|Code|Links|No links|Download|Examples?|Edit|Schemas?|Media type|Headers|Type|Expand|Collapse|Try it out|Cancel|Reset|Execute|Clear|Authorize|Controls|Send)( (body|headers|duration|URL|file|Value|all|empty value))?:?$/;
      expect([...texts].filter((text) => english.test(text))).toEqual([]);
    });

    it('requests nothing from other hosts, and nothing that its own policy refuses', () => {
      expect(seen).toEqual({ complaints: [], outside: [] });
    });
  });
});
