import { eventually } from './eventually.js';
import type { Answer, TestApp } from './test-app.js';

/** Ana acts, Leo only looks, Sol dispatches, Eva also sets up merchants and operators. */
export const CONSOLE_USERS =
  'ana:clave-de-ana:soporte,leo:clave-de-leo:lectura,sol:clave-de-sol:despacho,eva:clave-de-eva:admin';

type ConsoleUser = 'ana' | 'leo' | 'sol' | 'eva';

/** An Authorization header. */
export function staff(user: ConsoleUser = 'ana'): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${user}:clave-de-${user}`).toString('base64')}` };
}

/** The console as a browser uses it, without scripts. */
export class Console {
  constructor(
    readonly test: TestApp,
    private readonly user: ConsoleUser = 'ana',
  ) {}

  async page(path: string): Promise<string> {
    const { status, text } = await this.get(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    return text;
  }

  get(path: string): Promise<Answer> {
    return this.test.request(path, { headers: { ...staff(this.user), accept: 'text/html' } });
  }

  /** Sends a form; the answer is not followed. */
  post(path: string, fields: Record<string, string>): Promise<Answer> {
    return this.postList(path, Object.entries(fields));
  }

  /** The same, with fields that may repeat. */
  postList(path: string, fields: [name: string, value: string][]): Promise<Answer> {
    return this.test.request(path, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...staff(this.user), accept: 'text/html', 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams(fields),
    });
  }

  /**
   * Sends the form of a page, and returns the page that it leads to, or the one with the refused form.
   * @param action the end of the form's path.
   */
  async submit(path: string, action: string, fields: Record<string, string> = {}): Promise<string> {
    const { action: target, hidden } = formOf(await this.page(path), action);
    return this.after(await this.post(target, { ...hidden, ...fields }));
  }

  /** The page that the answer to a form is, or leads to. */
  async after({ status, text, headers }: Answer): Promise<string> {
    if (status === 422) return text;
    expect(status).toBe(303);
    return this.page(headers.get('location')!);
  }

  /** What the audit log says, newest first. */
  async actions(): Promise<{ usuario: string; accion: string; resultado: string; nota: string | null }[]> {
    return this.test.database.query(
      'select usuario, accion, resultado, nota from auditoria order by id desc',
    );
  }

  /**
   * Waits for a page to contain texts. The first page needs it also for what is there: a part of it that takes long is left
   * out, or shown as it was.
   */
  shows(path: string, ...texts: string[]): Promise<string> {
    return eventually(async () => {
      const page = await this.page(path);
      for (const text of texts) expect(page).toContain(text);
      return page;
    });
  }

  /** Waits for a page to contain a text no more. */
  async hides(path: string, text: string): Promise<void> {
    await eventually(async () => expect(await this.page(path)).not.toContain(text));
  }
}

/** A form of a page, with the names of its fields and what is in the hidden ones. */
export interface PageForm {
  action: string;
  names: string[];
  hidden: [name: string, value: string][];
}

/** All forms of a page that are posted, also those of buttons with an address of their own. */
export function formsOf(page: string): PageForm[] {
  const forms = [...page.matchAll(/<form ([^>]*)>([\s\S]*?)<\/form>/g)].filter(([, tag]) =>
    tag!.includes('method="post"'),
  );
  return forms.flatMap(([, tag, inside]) => {
    const own = / ?action="([^"]+)"/.exec(tag!)![1]!;
    const names = [...inside!.matchAll(/<(?:input|select|textarea)[^>]* name="([^"]+)"/g)].map(
      ([, name]) => name!,
    );
    const hidden = [...inside!.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const others = [...inside!.matchAll(/ formaction="([^"]+)"/g)].map(([, action]) => action!);
    return [own, ...others].map((action) => ({
      action: action.replaceAll('&amp;', '&'),
      names: [...new Set(names)],
      hidden: hidden.map(([, name, value]): [string, string] => [name!, value!]),
    }));
  });
}

/** The form of a page whose path ends so, and its hidden fields. */
export function formOf(page: string, end: string): { action: string; hidden: Record<string, string> } {
  const form = formsOf(page).find(({ action }) => action.endsWith(end));
  if (!form) throw new Error(`no form leads to ${end}`);
  return { action: form.action, hidden: Object.fromEntries(form.hidden) };
}
