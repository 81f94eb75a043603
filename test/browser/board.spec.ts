import { UnrecoverableError } from 'bullmq';
import type { Browser, Page } from 'playwright-core';
import { createTestBoard, failForGood, REASON, type TestBoard } from '../support/board.js';
import { describeInBrowser, launchBrowser } from '../support/browser.js';
import { watchPage } from '../support/inspect-page.js';

const HOSTILE = '<img src=x onerror="document.title = `hacked`"><script>document.title = `hacked`</script>';

/** Icons of the buttons that the board may show, beside tabs and counts. */
const PRESSABLE = ['refresh-cw', 'copy', 'maximize', 'minimize', 'settings', 'panel-left'];

describeInBrowser('the board', () => {
  let board: TestBoard;
  let browser: Browser;
  let page: Page;
  let seen: ReturnType<typeof watchPage>;

  beforeAll(async () => {
    board = await createTestBoard({}, ['enviar', HOSTILE]);
    browser = await launchBrowser();
    const context = await browser.newContext({
      httpCredentials: { username: 'ana', password: 'clave-de-ana' },
      viewport: { width: 1280, height: 800 },
    });
    page = await context.newPage();
    // For hangs alone.
    page.setDefaultTimeout(100_000);
    seen = watchPage(page, board.test.url);
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

  /** Visible buttons that should be hidden. */
  const needless = () =>
    page
      .locator('button:visible:not([role="tab"]):not([aria-label$="Tareas"])')
      .evaluateAll(
        (buttons, icons) =>
          buttons
            .filter((button) => !icons.some((icon) => button.querySelector(`.lucide-${icon}`)))
            .map((button) => button.outerHTML),
        PRESSABLE,
      );

  it('shows failed jobs with their reason and a link to their guide', async () => {
    await board.fail({ id: 'm-1', data: { mensajeId: '0199', guia: '931637862414' } });
    await open('');
    await page.getByRole('link', { name: 'FALLIDAS' }).first().click();
    await page.getByRole('link', { name: 'notificaciones' }).first().waitFor();
    await openFailed();
    await card('m-1').getByText(REASON).first().waitFor();
    const link = card('m-1').getByRole('link', { name: 'Guía 931637862414' });
    expect(await link.getAttribute('href')).toBe('/admin/guias/931637862414');
    await card('m-1').getByText('m-1', { exact: true }).click();
    await page.waitForURL(/\/admin\/queues\/queue\/notificaciones\/m-1/);
    await page.getByText(REASON).first().waitFor();
  });

  it('retries one job by its button', async () => {
    await board.fail({ id: 'm-2' }, { id: 'm-3' });
    await openFailed();
    board.handle = () => 'listo';
    await retryButton('m-2').click();
    await confirm();
    await board.reached('m-2', 'completed');
    await card('m-2').waitFor({ state: 'detached' });
    expect(await card('m-3').count()).toBe(1);
  });

  it('retries all failed jobs by one button', async () => {
    await board.fail({ id: 'm-4' }, { id: 'm-5' });
    await openFailed();
    board.handle = () => 'listo';
    await page.getByRole('button', { name: 'Reintentar todas' }).click();
    await confirm();
    for (const id of ['m-4', 'm-5']) await board.reached(id, 'completed');
    await card('m-4').waitFor({ state: 'detached' });
    expect(await board.queue.getJobCounts('failed')).toEqual({ failed: 0 });
  });

  it('says so when another user was faster', async () => {
    await board.fail({ id: 'm-6' });
    await openFailed();
    await retryButton('m-6').click();
    board.handle = () => 'listo';
    await (await board.queue.getJob('m-6'))!.retry();
    await board.reached('m-6', 'completed');
    await confirm();
    await page.getByText('quizá alguien más ya la reintentó').waitFor();
  });

  describe('shows no button whose action is refused', () => {
    beforeAll(async () => {
      board.handle = failForGood;
      await board.fail({ id: 'fallida' });
      board.handle = () => 'listo';
      await board.queue.add('enviar', {}, { jobId: 'hecha' });
      await board.queue.add('enviar', {}, { jobId: 'luego', delay: 3_600_000 });
      await board.reached('hecha', 'completed');
    });

    const list = 'queue/notificaciones';
    it.each([
      ['', 0],
      [`${list}?status=failed`, 2],
      [`${list}?status=completed`, 0],
      [`${list}/fallida?status=failed`, 1],
      [`${list}/hecha?status=completed`, 0],
      [`${list}/luego?status=delayed`, 0],
    ])('/%s, and %d to retry', async (path, retries) => {
      await open(path);
      await page.locator('[class^="card-"]').or(page.getByText('No hay trabajos')).first().waitFor();
      expect(await needless()).toEqual([]);
      expect(await page.locator('button:visible:has(.lucide-refresh-cw)').count()).toBe(retries);
    });
  });

  it('does not run scripts in the data of a job', async () => {
    board.handle = () => {
      throw new UnrecoverableError(HOSTILE);
    };
    await board.fail({ id: 'm-x', name: HOSTILE, data: { mensajeId: HOSTILE, guia: `"${HOSTILE}` } });
    await (await board.queue.getJob('m-x'))!.log(HOSTILE);
    await open('queue/notificaciones/m-x?status=failed');
    for (const tab of ['Datos', 'Opciones', 'Registros', 'Error']) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('tabpanel', { name: tab }).waitFor();
      expect(await page.locator('img[src="x"]').count()).toBe(0);
    }
    await page.getByRole('tabpanel', { name: 'Error' }).getByText('<img src=x').first().waitFor();
    expect(await page.title()).not.toContain('hacked');
  });

  it('fetches nothing from other servers, and nothing that its Content-Security-Policy refuses', () => {
    expect(seen.outside).toEqual([]);
    // Chromium logs the 409 for the user who was too late.
    expect(seen.complaints.filter((text) => !text.includes('409 (Conflict)'))).toEqual([]);
  });
});
