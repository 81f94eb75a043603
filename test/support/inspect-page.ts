import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What a page complains of from now on, and what it asks for outside of `url`. */
export function watchPage(page: Page, url: string): { complaints: string[]; outside: string[] } {
  const [complaints, outside]: [string[], string[]] = [[], []];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) outside.push(request.url());
  });
  return { complaints, outside };
}

/** What axe finds on the open page: of each rule the elements that break it. */
export async function axeFaults(page: Page, options: axe.RunOptions = {}): Promise<[string, string[]][]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    (given) => (globalThis as unknown as { axe: typeof axe }).axe.run(given),
    options,
  );
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}

/** By how many pixels the page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** The rules of axe that another width or other colours may break, where a page was inspected whole before. */
export const APPEARANCE: axe.RunOptions = {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable'] },
};

/** Whether nothing that somebody stored runs on the open page, nothing is cut off at its side, and axe finds nothing. */
export async function inspectPage(page: Page, options?: axe.RunOptions): Promise<void> {
  await page.locator('details').evaluateAll((all) => all.forEach((one) => one.setAttribute('open', '')));
  expect(await page.title()).not.toBe('hacked');
  expect(await page.locator('img, body script').count()).toBe(0);
  expect(await overflowOf(page)).toBe(0);
  expect(await axeFaults(page, options)).toEqual([]);
}
