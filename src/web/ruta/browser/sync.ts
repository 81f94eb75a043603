import { DAY_MS, guiasOf, merged, nextBatch } from '../model.js';
import { PERDIDA, type Perdida } from '../words.js';
import type { Datos, Resultado } from '../phone-data.js';
import { draw } from './drawing.js';
import {
  ahora,
  enlace,
  isClockSure,
  lastContact,
  loseContact,
  meet,
  stored,
  takeContact,
  ui,
} from './state.js';

/** Milliseconds after which a request counts as unanswered. */
const PATIENCE = 20_000;

/** Events in one request. */
const BATCH = 100;

const otherTabs = 'BroadcastChannel' in window ? new BroadcastChannel('guias-ruta') : null;

otherTabs?.addEventListener('message', () => void reload().then(draw));

/** An answer of the service: of each kind of request its own fields. */
export type Answer = { status: number; ok: boolean; codigo?: string; detail?: string } & Partial<Datos> & {
    resultados?: Resultado[];
  };

/** Stores what the service told. */
export async function keep(fresh: Datos): Promise<void> {
  ui.perdida = null;
  [stored.datos, stored.piloto] = [merged(fresh, stored.datos), fresh.piloto.id];
  try {
    await stored.store?.save(enlace, fresh, lastContact());
  } catch {
    ui.aviso = 'La memoria del teléfono está llena: la página no abrirá sin señal. Libere espacio.';
  }
}

/** Reads what is stored, which another tab may have changed; older than what is known where there was no room. */
export async function reload(): Promise<void> {
  const { store } = stored;
  const ruta = await store?.ruta(enlace);
  if (ruta && !((stored.datos?.ahora ?? '') > (ruta.datos?.ahora ?? '\uffff'))) {
    [stored.piloto, stored.datos] = [ruta.piloto, ruta.datos];
    takeContact(ruta);
    ui.perdida = ruta.datos ? null : PERDIDA[ruta.perdida!];
  }
  if (store && stored.piloto) stored.acciones = await store.acciones(stored.piloto);
}

export async function changed(): Promise<void> {
  otherTabs?.postMessage('changed');
  await reload();
  draw();
}

/** Says of what was done since the contact before when it happened. */
export async function dateActions(): Promise<void> {
  if (stored.piloto) await stored.store?.date(stored.piloto, lastContact().desfase, ahora());
}

/** Asks the service; null where it did not answer. */
export async function ask(what: string, body?: object): Promise<Answer | null> {
  const before = Date.now();
  const [patience, timer] = [new AbortController(), setTimeout(() => patience.abort(), PATIENCE)];
  try {
    const answer = await fetch(`/r/${enlace}/${what}`, {
      method: body ? 'POST' : 'GET',
      cache: 'no-store',
      signal: patience.signal,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const told = (await answer.json()) as Answer;
    if (typeof told.ok !== 'boolean') throw new Error('not our answer');
    const date = Date.parse(answer.headers.get('date') ?? '');
    // The header has whole seconds.
    meet(date ? date + 500 - (before + Date.now()) / 2 : undefined);
    ui.enLinea = true;
    await dateActions().catch(() => undefined);
    return { ...told, status: answer.status };
  } catch {
    ui.enLinea = false;
    loseContact();
    return null;
  } finally {
    clearTimeout(timer);
    draw();
  }
}

/** One at a time over all tabs. */
export async function alone(run: () => Promise<void>): Promise<void> {
  const { locks } = navigator as Partial<Navigator>;
  await (locks ? locks.request('guias-ruta', run) : run());
}

/** Sends what waits, then reads the guides where `isDue`. */
export async function look(isDue = false): Promise<void> {
  if (ui.perdida === PERDIDA.enlace || !navigator.onLine || !stored.store) return;
  await alone(async () => {
    // The empty page of a link that never opened here: a slow network counted as none.
    if (!stored.piloto) await readGuias();
    if (!stored.piloto) return;
    const isSent = await send(stored.piloto);
    if (isSent) await tellUnderstood(stored.piloto);
    if (isDue && isSent) await readGuias();
  });
}

/** Whether the service answered all that was sent; what it could not do waits for the next look. */
async function send(piloto: string): Promise<boolean> {
  const store = stored.store!;
  let needsReading = false;
  for (let waiting; (waiting = await store.waiting(piloto)).length > 0;) {
    // Only a contact tells whether the clock was changed; then all that waits is dated.
    if (!isClockSure()) await readGuias();
    if (!isClockSure() || ui.perdida === PERDIDA.enlace) return false;
    await dateActions();
    const sent = await store.markSent(nextBatch(waiting, BATCH));
    if (sent.length === 0) continue;
    const answer = await ask('eventos', { eventos: sent.map(({ evento }) => evento) });
    if (!(await isOpen(answer)) || !answer?.resultados) return false;
    const { resultados } = answer;
    const isLeft = await store.settle(enlace, sent, resultados, lastContact());
    needsReading ||= resultados.some(({ ok, aplicado }) => !ok || !aplicado);
    await changed();
    if (isLeft) break;
  }
  if (needsReading) await readGuias();
  return true;
}

/** Tells which refusals the driver has read. Its answer says nothing of the link: an older service does not know the question. */
async function tellUnderstood(piloto: string): Promise<void> {
  const store = stored.store!;
  const understood = (await store.understood(piloto)).slice(0, BATCH);
  if (understood.length === 0) return;
  const answer = await ask('entendidos', { refs: understood.map(({ evento }) => evento.ref) });
  if (answer?.ok) await store.remove(understood);
}

export async function readGuias(): Promise<void> {
  const answer = await ask('guias');
  if (!(await isOpen(answer)) || answer?.ok !== true) return;
  const { ok: _, status: __, ...fresh } = answer;
  await keep(fresh as Datos);
  await changed();
}

/** Whether the service answered, and the link still opens; a link that has ended makes the phone forget. */
export async function isOpen(answer: Answer | null): Promise<boolean> {
  if (!answer) return false;
  if (answer.status !== 404 || answer.codigo !== 'no_encontrado') return true;
  await lose('enlace');
  return false;
}

/** Forgets all people; what waits stays. */
export async function lose(why: Perdida): Promise<void> {
  Object.assign(ui, { perdida: PERDIDA[why], busqueda: null });
  stored.datos = null;
  draw();
  await stored.store?.forget(enlace, why);
  await changed();
}

export async function forgetIfAlone(): Promise<void> {
  const { contacto } = lastContact();
  if (stored.datos && contacto && Math.abs(Date.now() - contacto) > DAY_MS) await lose('dia');
}

/** The guides as this phone knows them now. */
export const ownGuias = () => (stored.datos ? guiasOf(stored.datos, stored.acciones, ahora()) : []);

export const guiaOf = (numero: string | undefined) => ownGuias().find(({ guia }) => guia === numero);
