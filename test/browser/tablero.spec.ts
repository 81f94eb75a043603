import { UnrecoverableError } from 'bullmq';
import type { Browser, Page } from 'playwright-core';
import { createTestBoard, failForGood, REASON, type TestBoard } from '../support/board.js';
import { describeInBrowser, launchBrowser } from '../support/browser.js';

const HOSTILE = '<img src=x onerror="document.title = `hacked`"><script>document.title = `hacked`</script>';

/** What a person may press on the board, by its icon; the tabs of a job besides. */
const PRESSABLE = ['refresh-cw', 'copy', 'maximize', 'minimize', 'settings', 'panel-left'];

describeInBrowser('the board', () => {
  let board: TestBoard;
  let browser: Browser;
  let page: Page;
  const outside: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    board = await createTestBoard({}, ['enviar', HOSTILE]);
    browser = await launchBrowser();
    const context = await browser.newContext({
      httpCredentials: { username: 'ana', password: 'clave-de-ana' },
      viewport: { width: 1280, height: 800 },
    });
    page = await context.newPage();
    page.setDefaultTimeout(10_000);
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(board.test.url) && !url.startsWith('data:')) outside.push(url);
    });
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
    page.on('pageerror', (error) => void complaints.push(error.message));
  });
  beforeEach(() => {
    board.handle = failForGood;
  });
  afterAll(async () => {
    await browser?.close();
    await board?.test.close();
  });

  const open = (path: string) => page.goto(`${board.test.url}/admin/queues/${path}`);
  const openFailed = () => open('queue/notificaciones?status=failed');
  const card = (jobId: string) => page.locator('[class^="card-"]', { hasText: jobId });
  const retryButton = (jobId: string) => card(jobId).locator('button:has(.lucide-refresh-cw)');
  const confirm = () => page.getByRole('button', { name: 'Confirmar' }).click();

  /** Buttons in sight that nobody needs here. */
  const needless = () =>
    page
      .locator('button:visible:not([role="tab"])')
      .evaluateAll(
        (buttons, icons) =>
          buttons
            .filter((button) => !icons.some((icon) => button.querySelector(`.lucide-${icon}`)))
            .map((button) => button.outerHTML),
        PRESSABLE,
      );

  it('stays closed to who has no password', async () => {
    const context = await browser.newContext();
    const response = await (await context.newPage()).goto(`${board.test.url}/admin/queues`);
    expect(response!.status()).toBe(401);
    await context.close();
  });

  it('shows which jobs failed, why, and leads to the guide', async () => {
    await board.fail({ id: 'm-1', data: { mensajeId: '0199', guia: '931637862414' } });
    await open('');
    await page.getByText('Fallidas').or(page.getByText('FALLIDAS')).first().waitFor();
    await openFailed();
    await card('m-1').getByText(REASON).waitFor();
    const link = card('m-1').getByRole('link', { name: 'Guía 931637862414' });
    expect(await link.getAttribute('href')).toBe('/admin/guias/931637862414');
    await card('m-1').getByText('m-1', { exact: true }).click();
    await page.waitForURL(/\/admin\/queues\/queue\/notificaciones\/m-1/);
    await page.getByText(REASON).waitFor();
  });

  it('retries one: pressed, confirmed, done', async () => {
    await board.fail({ id: 'm-2' }, { id: 'm-3' });
    await openFailed();
    board.handle = () => 'listo';
    await retryButton('m-2').click();
    await confirm();
    await board.reached('m-2', 'completed');
    await card('m-2').waitFor({ state: 'detached' });
    expect(await card('m-3').count()).toBe(1);
  });

  it('retries all that failed', async () => {
    await board.fail({ id: 'm-4' }, { id: 'm-5' });
    await openFailed();
    board.handle = () => 'listo';
    await page.getByRole('button', { name: 'Reintentar todas' }).click();
    await confirm();
    for (const id of ['m-4', 'm-5']) await board.reached(id, 'completed');
    await card('m-4').waitFor({ state: 'detached' });
    expect(await board.queue.getJobCounts('failed')).toEqual({ failed: 0 });
  });

  it('says so when somebody else was faster', async () => {
    await board.fail({ id: 'm-6' });
    await openFailed();
    await retryButton('m-6').click();
    board.handle = () => 'listo';
    await (await board.queue.getJob('m-6'))!.retry();
    await board.reached('m-6', 'completed');
    await confirm();
    await page.getByText('quizá alguien más ya la reintentó').waitFor();
  });

  it.each([
    '',
    'queue/notificaciones',
    ...['failed', 'completed', 'delayed', 'waiting'].map((status) => `queue/notificaciones?status=${status}`),
    'queue/notificaciones/fallida',
    'queue/notificaciones/hecha?status=completed',
    'queue/notificaciones/luego?status=delayed',
  ])('has no button that would be refused: /%s', async (path) => {
    await board.queue.add('enviar', {}, { jobId: 'luego', delay: 3_600_000 });
    await board.fail({ id: 'fallida' });
    board.handle = () => 'listo';
    await board.queue.add('enviar', {}, { jobId: 'hecha' });
    await board.reached('hecha', 'completed');
    await open(path);
    await page.locator('[class^="card-"]').or(page.getByText('No hay trabajos')).first().waitFor();
    expect(await needless()).toEqual([]);
    const isOfFailed = /failed|fallida/.test(path);
    expect(await page.locator('button:visible:has(.lucide-refresh-cw)').count()).toBe(
      isOfFailed ? (path.endsWith('fallida') ? 1 : 2) : 0,
    );
  });

  it('runs nothing that is written in a job', async () => {
    board.handle = () => {
      throw new UnrecoverableError(HOSTILE);
    };
    await board.fail({ id: 'm-x', name: HOSTILE, data: { mensajeId: HOSTILE, guia: `"${HOSTILE}` } });
    await (await board.queue.getJob('m-x'))!.log(HOSTILE);
    await open('queue/notificaciones/m-x?status=failed');
    for (const tab of ['Datos', 'Opciones', 'Registros', 'Error']) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('tabpanel').waitFor();
      expect(await page.locator('img[src="x"]').count()).toBe(0);
    }
    await page.getByRole('tabpanel').getByText('<img src=x').first().waitFor();
    expect(await page.title()).not.toContain('hacked');
  });

  it('works offline: nothing is fetched from elsewhere, nothing is refused by its own policy', () => {
    expect(outside).toEqual([]);
    // Chromium's own line about the answer to who was too late.
    expect(complaints.filter((text) => !text.includes('409 (Conflict)'))).toEqual([]);
  });
});
