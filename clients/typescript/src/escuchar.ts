import { createHmac } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GuiasError } from './guias-error.js';
import type { Guias } from './guias.js';
import { exigir, type Respuesta } from './llamadas.js';

type Aviso = Respuesta<'listarAvisos'>['avisos'][number];

/** ms between two questions while there is nothing. */
const POLL_MS = 1_000;

/** ms for one answer of the program, as for that of a real endpoint. */
const ANSWER_MS = 15_000;

interface Options {
  clave: string;
  /** The program that gets the webhooks. */
  destino: URL;
  print: (line: string) => void;
  /** Aborted: nothing more is begun. */
  stopping: AbortSignal;
  /** Aborted: what is under way is given up. */
  cutting: AbortSignal;
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
  let page = await ask(guias, place.cursor);
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

async function ask(guias: Guias, cursor: string | undefined): Promise<Respuesta<'listarAvisos'>> {
  const query = { limit: 100, ...(cursor !== undefined && { cursor }) };
  return exigir(await guias.api.GET('/api/v1/webhooks/avisos', { params: { query } }));
}

/** Once it has answered, the service may be away for a while. @throws GuiasError if it refuses. */
async function askAgain(
  guias: Guias,
  place: Place,
  { print, stopping }: Options,
): Promise<Respuesta<'listarAvisos'>> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await ask(guias, place.cursor);
    } catch (error) {
      if (!(error instanceof GuiasError) || (error.status >= 400 && error.status < 429)) throw error;
      if (isFirst) print(`${error.message} Se sigue intentando.`);
      await pause(POLL_MS, stopping);
      if (stopping.aborted) throw error;
    }
  }
}

/** The status of the program's answer; undefined if it was stopped before there was one. */
async function passOn(
  aviso: Aviso,
  secreto: string,
  { destino, print, stopping, cutting }: Options,
): Promise<number | undefined> {
  for (let isFirst = true; ; isFirst = false) {
    if (stopping.aborted) return undefined;
    try {
      return await post(aviso, secreto, destino, cutting);
    } catch {
      if (cutting.aborted) return undefined;
      if (isFirst) print(`Nada responde en ${destino.href}: los avisos esperan.`);
      await pause(POLL_MS, stopping);
    }
  }
}

async function post({ id, cuerpo }: Aviso, secreto: string, to: URL, cutting: AbortSignal): Promise<number> {
  const body = JSON.stringify(cuerpo);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secreto.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, ANSWER_MS);
  cutting.addEventListener('abort', abort);
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
    await answer.arrayBuffer();
    return answer.status;
  } finally {
    clearTimeout(timer);
    cutting.removeEventListener('abort', abort);
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
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const name = createHmac('sha256', clave).update(url).digest('hex').slice(0, 32);
    this.file = join(folder, `${name}.json`);
    const { cursor, passed = [] } = this.read();
    this.cursor = cursor;
    this.passed = new Set(passed);
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

  private read(): { cursor?: string; passed?: string[] } {
    try {
      return JSON.parse(readFileSync(this.file, 'utf8')) as { cursor?: string; passed?: string[] };
    } catch {
      return {};
    }
  }

  /** A process that ends while it writes leaves the old file. */
  private write(): void {
    const { cursor, passed, file } = this;
    writeFileSync(`${file}.new`, JSON.stringify({ cursor, passed: [...passed] }), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
}
