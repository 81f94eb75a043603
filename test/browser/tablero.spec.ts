import type { Browser, Page } from 'playwright-core';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { BOARD_USERS, createTestBoard, type TestBoard } from '../support/board.js';
import { describeInBrowser, launchBrowser } from '../support/browser.js';

describeInBrowser('the board', () => {
  let database: TestDatabase;
  let board: TestBoard;
  let browser: Browser;
  let page: Page;
  const outside: string[] = [];
  const complaints: string[] = [];
  const refused: string[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    board = await createTestBoard({ databaseUrl: database.url });
    await board.fail([
      { name: 'confirmacion', data: { mensajeId: 'a', guia: '931637862414' }, id: 'm-1' },
      { name: 'confirmacion', data: { mensajeId: 'b', guia: '931637862422' }, id: 'm-2' },
      {
        name: '<img src=x onerror="alert(1)">',
        data: { mensajeId: '<img src=x onerror=alert(2)>' },
        id: 'm-3',
      },
    ]);
    browser = await launchBrowser();
    const context = await browser.newContext({
      httpCredentials: { username: 'ana', password: BOARD_USERS.get('ana')! },
      viewport: { width: 1280, height: 800 },
    });
    page = await context.newPage();
    page.on(
      'request',
      (r) => void (r.url().startsWith(board.url) || r.url().startsWith('data:') || outside.push(r.url())),
    );
    page.on('console', (m) => void (m.type() === 'error' && complaints.push(m.text())));
    page.on('response', (r) => void (r.status() >= 400 && refused.push(`${r.status()} ${r.url()}`)));
    page.on('dialog', (d) => {
      complaints.push('DIALOG ' + d.message());
      void d.dismiss();
    });
  });
  afterAll(async () => {
    await browser?.close();
    await board?.close();
    await database?.drop();
  });
  it('x', async () => {
    const shot = async (n: string) => {
      await page.waitForTimeout(1000);
      await page.screenshot({ path: `${process.env.SHOTS}/${n}.png` });
    };
    await page.goto(`${board.url}/admin/queues`);
    await shot('1-overview');
    await page.goto(`${board.url}/admin/queues/queue/avisos?status=failed`);
    await shot('2-failed');
    console.log(await page.locator('body').innerHTML());
    await page.goto(`${board.url}/admin/queues/queue/avisos/m-1?status=failed`);
    await shot('3-job');
    await page.goto(`${board.url}/admin/queues/queue/avisos/m-3?status=failed`);
    await shot('4-xss');
    console.log(outside, complaints, refused);
  });
});
