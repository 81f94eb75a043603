import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Whether nothing that somebody stored runs on the open page, nothing is cut off at its side, and axe finds nothing. */
export async function inspectPage(page: Page): Promise<void> {
  for (const ask of await page.locator('details').all())
    await ask.evaluate((one) => one.setAttribute('open', ''));
  expect(await page.title()).not.toBe('hacked');
  expect(await page.locator('img, body script').count()).toBe(0);
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate<number>(overflow)).toBe(0);
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  expect(violations.map(({ id, nodes }) => ({ id, html: nodes.map(({ html }) => html) }))).toEqual([]);
}
