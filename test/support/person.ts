import type { Locator, Page } from 'playwright-core';

/** Somebody at a page, whose interactions are counted: a click, or something typed and Enter. */
export class Person {
  interactions = 0;
  private readonly since = Date.now();

  constructor(private readonly page: Page) {}

  async click(target: Locator): Promise<void> {
    this.interactions += 1;
    await target.click();
  }

  /** Types into a field and presses Enter. */
  async enter(field: Locator, text: string): Promise<void> {
    this.interactions += 1;
    await field.fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Prints what it took; the seconds depend on the machine, and prove nothing. */
  report(what: string): void {
    const seconds = ((Date.now() - this.since) / 1_000).toFixed(1);
    process.stdout.write(`${what}: ${this.interactions} interactions, ${seconds} s\n`);
  }
}

/** Presses Tab until something with this text or label has the focus. */
export async function tabTo(page: Page, name: string, limit = 15): Promise<void> {
  const focused = () =>
    page.evaluate<string>(
      '(document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent).trim()',
    );
  for (let tabs = 0; !(await focused()).startsWith(name); tabs++) {
    if (tabs === limit) throw new Error(`${name} is not among the first ${limit} stops of Tab`);
    await page.keyboard.press('Tab');
  }
}
