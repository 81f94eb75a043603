import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../support/browser.js';
import { createTestApp, type TestApp, type TestMerchant } from '../support/test-app.js';

describeInBrowser('Swagger UI', () => {
  let test: TestApp;
  let merchant: TestMerchant;
  let browser: Browser;
  let page: Page;
  const outside: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    test = await createTestApp();
    merchant = await test.merchant();
    browser = await launchBrowser();
    page = await browser.newPage();
    page.on(
      'request',
      (request) =>
        void (
          request.url().startsWith(test.url) ||
          request.url().startsWith('data:') ||
          outside.push(request.url())
        ),
    );
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
    await page.goto(`${test.url}/api/docs`);
    await page.waitForSelector('.opblock');
  });
  afterAll(async () => {
    await browser?.close();
    await test.close();
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
    await page.fill('.auth-container input', merchant.key);
    await page.click('.auth-btn-wrapper .authorize');
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

  it('requests nothing from other hosts, and nothing that its own policy refuses', () => {
    expect(outside).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
