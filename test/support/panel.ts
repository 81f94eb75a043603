import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { formOf } from './console.js';
import type { Answer, TestApp } from './test-app.js';

const unescaped = (html: string) =>
  html.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('\u00a0', ' ');

/** What a browser would send of a page's form: all but what is ticked. @param end of the form's path. */
export function textsOf(page: string, end: string): Record<string, string> {
  const [form] = new RegExp(`<form method="post" action="[^"]*${end}"[^]*?</form>`).exec(page)!;
  const inputs = [...form.matchAll(/<input[^>]*>/g)]
    .filter(([tag]) => !tag.includes('type="checkbox"') && / name="/.test(tag))
    .map(([tag]) => [/ name="([^"]*)"/.exec(tag)![1]!, / value="([^"]*)"/.exec(tag)?.[1] ?? '']);
  const areas = [...form.matchAll(/<textarea[^>]* name="([^"]*)"[^>]*>([^]*?)<\/textarea>/g)];
  const texts = [...inputs, ...areas.map(([, name, text]) => [name!, text!])];
  return Object.fromEntries(texts.map(([name, text]) => [name!, unescaped(text!)]));
}

/** The text that describes a page's field. */
export function noteOf(page: string, name: string): string | undefined {
  const tag = new RegExp(`<(?:input|textarea)[^>]* name="${name}"[^>]*>`).exec(page)?.[0] ?? '';
  const id = / aria-describedby="([^"]*)"/.exec(tag)?.[1];
  return id && unescaped(new RegExp(`id="${id}"[^>]*>(?:<svg.*?</svg> )?([^<]*)<`).exec(page)![1]!);
}

/** The number of the guide that a form has made. */
export function numberIn({ status, headers }: Answer): string {
  expect(status).toBe(303);
  return /^\/panel\/guias\/(\d{12})/.exec(headers.get('location')!)![1]!;
}

/** The panel as a browser without scripts uses it. Answers are not followed. */
export class PanelBrowser {
  private cookie = '';

  constructor(
    readonly test: TestApp,
    private readonly headers: Record<string, string> = {},
  ) {}

  /** A browser that signed in with a key. */
  static async in(test: TestApp, { key }: { key: string }): Promise<PanelBrowser> {
    const browser = new PanelBrowser(test);
    const { status } = await browser.signIn(key);
    expect(status).toBe(303);
    return browser;
  }

  signIn(apiKey: string): Promise<Answer> {
    return this.post('/panel', { api_key: apiKey });
  }

  get token(): string {
    return /guias_panel=([^;]*)/.exec(this.cookie)?.[1] ?? '';
  }

  async get(path: string): Promise<Answer> {
    return this.keep(
      await this.test.request(path, { redirect: 'manual', headers: { ...this.sent(), accept: 'text/html' } }),
    );
  }

  /** A page that is there. */
  async page(path: string): Promise<string> {
    const { status, text } = await this.get(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    return text;
  }

  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
    return this.postList(path, Object.entries(fields), headers);
  }

  /** The same, with fields that may repeat. */
  async postList(
    path: string,
    fields: [name: string, value: string][],
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await this.test.request(path, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...this.sent(), accept: 'text/html', 'sec-fetch-site': 'same-origin', ...headers },
      body: new URLSearchParams(fields),
    });
    return this.keep(answer);
  }

  /** Sends any body from the panel's own pages. @param type its `Content-Type`; JSON for a text unless given. */
  async send(
    path: string,
    body: string | URLSearchParams | FormData | Uint8Array<ArrayBuffer>,
    type?: string,
  ): Promise<Answer> {
    const named = type ?? (typeof body === 'string' ? 'application/json' : undefined);
    return this.keep(
      await this.test.request(path, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          ...this.sent(),
          accept: 'text/html',
          'sec-fetch-site': 'same-origin',
          ...(named !== undefined && { 'content-type': named }),
        },
        body,
      }),
    );
  }

  /** Sends a file, as the form of a page does. */
  async upload(
    path: string,
    file: { name: string; bytes: Uint8Array<ArrayBuffer> | string },
    fields: Record<string, string> = {},
  ): Promise<Answer> {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    body.set('archivo', new Blob([file.bytes]), file.name);
    return this.send(path, body);
  }

  /** Begins to send a file, and sends no more of it than its first bytes. */
  async beginUpload(path: string): Promise<Socket> {
    const { host, port, hostname } = new URL(this.test.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const { cookie = '' } = this.sent();
    const type = 'multipart/form-data; boundary=x';
    const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\nSec-Fetch-Site: same-origin\r\nContent-Type: ${type}\r\nContent-Length: 10000\r\n\r\n--x\r\n`;
    socket.write(head);
    return socket;
  }

  /** Sends the form of a page. @param action the end of the form's path. */
  async submit(path: string, action: string, fields: Record<string, string> = {}): Promise<Answer> {
    const { action: target, hidden } = formOf(await this.page(path), action);
    return this.post(target, { ...hidden, ...fields });
  }

  private sent(): Record<string, string> {
    return { ...this.headers, ...(this.cookie !== '' && { cookie: this.cookie }) };
  }

  private keep(answer: Answer): Answer {
    const set = answer.headers.get('set-cookie');
    if (set !== null) this.cookie = set.split(';')[0]!;
    return answer;
  }
}
