import { createHmac } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GuiasError } from './guias-error.js';
import type { Guias } from './guias.js';
import { exigir, type Respuesta } from './llamadas.js';
import { retryAfterMs } from './retries.js';

type Page = Respuesta<'listarAvisos'>;
type Aviso = Page['avisos'][number];

/** ms between two questions while there is nothing. */
const POLL_MS = 1_000;

/** ms for one answer of the program, as for that of a real endpoint. */
const ANSWER_MS = 15_000;

/** ms between two questions at most, whatever `Retry-After` says. */
const LONGEST_PAUSE_MS = 3_600_000;

interface Options {
  clave: string;
  /** The program that gets the webhooks. */
  destino: URL;
  print: (line: string) => void;
  /** Aborted: nothing more is begun. */
  stopping: AbortSignal;
}

/**
 * Passes a merchant's webhooks on to a program that nobody else can reach, signed as the real ones, one after another. Each
 * arrives once, also over restarts: what was passed on is kept in a file. While the program does not answer, they wait.
 * @throws GuiasError if the service refuses the key, or does not answer the first question.
 */
export async function escuchar(guias: Guias, options: Options): Promise<void> {
  const { clave, destino, print, stopping } = options;
  const place = new Place(clave, guias.url);
  const secreto = secretOf(clave);
  let page = await firstPage(guias, place, print);
  print(`Secreto de estos avisos (GUIAS_SECRETO): ${secreto}`);
  print(`Los avisos llegan a ${destino.href}. Termine con Ctrl+C.`);
  while (!stopping.aborted) {
    for (const aviso of page.avisos.filter(({ id }) => !place.passed.has(id))) {
      const status = await passOn(aviso, secreto, options);
      if (status === undefined) return;
      print(`${aviso.tipo} ${numberOf(aviso)} ${status}`);
      place.pass(aviso.id);
    }
    if (page.siguiente_cursor !== place.cursor) place.advance(page.siguiente_cursor);
    if (page.avisos.length === 0) await pause(POLL_MS, stopping);
    if (stopping.aborted) return;
    page = await askAgain(guias, place, options);
  }
}

const ask = (guias: Guias, cursor: string | undefined) => {
  const query = { limit: 100, ...(cursor !== undefined && { cursor }) };
  return guias.api.GET('/api/v1/webhooks/avisos', { params: { query } });
};

/** A cursor that the service no longer takes would be refused for ever. @throws GuiasError */
async function firstPage(guias: Guias, place: Place, print: Options['print']): Promise<Page> {
  const answer = await ask(guias, place.cursor);
  if (place.cursor === undefined || answer.error?.codigo !== 'cursor_invalido') return exigir(answer);
  print('El servicio ya no conoce hasta qué aviso se llegó: se empieza por el más antiguo.');
  place.cursor = undefined;
  return exigir(await ask(guias, undefined));
}

/** Once it has answered, the service may be away for a while. @throws GuiasError if it refuses. */
async function askAgain(guias: Guias, place: Place, { print, stopping }: Options): Promise<Page> {
  for (let isFirst = true; ; isFirst = false) {
    let waitMs = POLL_MS;
    try {
      const answer = await ask(guias, place.cursor);
      waitMs = Math.max(waitMs, retryAfterMs(answer.response));
      return exigir(answer);
    } catch (error) {
      if (!(error instanceof GuiasError) || isRefusal(error)) throw error;
      if (isFirst) print(`Se sigue intentando: ${error.message}`);
      await pause(Math.min(waitMs, LONGEST_PAUSE_MS), stopping);
      if (stopping.aborted) throw error;
    }
  }
}

/** Not the 404 of a proxy while the service starts. */
const isRefusal = ({ status, codigo }: GuiasError): boolean =>
  codigo !== 'desconocido' && status >= 400 && status < 429;

/** The status of the program's answer; undefined if it was stopped before there was one. */
async function passOn(
  aviso: Aviso,
  secreto: string,
  { destino, print, stopping }: Options,
): Promise<number | undefined> {
  for (let isFirst = true; ; isFirst = false) {
    if (stopping.aborted) return undefined;
    try {
      return await post(aviso, secreto, destino);
    } catch (error) {
      if (isFirst) print(`Nada responde en ${destino.href} (${reasonOf(error)}): los avisos esperan.`);
      await pause(POLL_MS, stopping);
    }
  }
}

/** Such as `ECONNREFUSED`. */
function reasonOf(error: unknown): string {
  const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  return code ?? message;
}

async function post({ id, cuerpo }: Aviso, secreto: string, to: URL): Promise<number> {
  const body = JSON.stringify(cuerpo);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secreto.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error(`sin respuesta en ${ANSWER_MS} ms`)), ANSWER_MS);
  try {
    const answer = await fetch(to, {
      method: 'POST',
      redirect: 'manual',
      signal: controller.signal,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Guias-Webhooks/1',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      },
      body,
    });
    // What follows the status may never end.
    void answer.body?.cancel().catch(() => undefined);
    return answer.status;
  } finally {
    clearTimeout(timer);
  }
}

/** The number of the guide; of a settlement its id. */
function numberOf({ cuerpo }: Aviso): string {
  const { data } = cuerpo as { data?: { guia?: { guia?: string }; liquidacion?: { id?: string } } };
  return data?.guia?.guia ?? data?.liquidacion?.id ?? '-';
}

/** The same for a key each time, so that the program's settings stay. */
const secretOf = (clave: string): string =>
  `whsec_${createHmac('sha256', clave).update('guias-client webhooks listen').digest('base64')}`;

const pause = (ms: number, stopping: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal: stopping }).catch(() => undefined);

/** How far the webhooks of a key have been passed on; kept in a file of the user's, which does not show the key. */
class Place {
  cursor: string | undefined;
  /** Those after the cursor that were passed on already. */
  readonly passed: Set<string>;
  private readonly file: string;

  constructor(clave: string, url: string) {
    const folder = join(process.env.XDG_STATE_HOME || join(homedir(), '.local/state'), 'guias-client');
    const name = createHmac('sha256', clave).update(url).digest('hex').slice(0, 32);
    this.file = join(folder, `${name}.json`);
    orSay(folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }));
    const { cursor, passed } = this.read();
    this.cursor = typeof cursor === 'string' ? cursor : undefined;
    this.passed = new Set(Array.isArray(passed) ? (passed as string[]) : []);
  }

  pass(id: string): void {
    this.passed.add(id);
    this.write();
  }

  advance(cursor: string): void {
    this.cursor = cursor;
    this.passed.clear();
    this.write();
  }

  /** A file that is missing or broken is an empty one. */
  private read(): { cursor?: unknown; passed?: unknown } {
    try {
      return Object(JSON.parse(readFileSync(this.file, 'utf8'))) as { cursor?: unknown; passed?: unknown };
    } catch {
      return {};
    }
  }

  /** A process that ends while it writes leaves the old file; two at once each write their own. */
  private write(): void {
    const { cursor, passed, file } = this;
    const written = `${file}.${process.pid}`;
    orSay(file, () => {
      writeFileSync(written, JSON.stringify({ cursor, passed: [...passed] }), { mode: 0o600 });
      renameSync(written, file);
    });
  }
}

/** @throws TypeError that names the file or folder, and the variable for another one. */
function orSay(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new TypeError(
      `No se puede escribir ${path} (${code}), donde queda hasta qué aviso se llegó. Ponga en XDG_STATE_HOME otra carpeta.`,
    );
  }
}
