import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { dated } from '../clock.js';
import { DAY_MS, merged, settle, waits } from '../model.js';
import { seen } from '../novedades.js';
import type { Accion, Datos, Resultado } from '../phone-data.js';
import type { Perdida } from '../words.js';

/** The last contact: the phone's time of it, and the service's clock minus the phone's. */
export interface Contacto {
  contacto: number;
  desfase: number;
}

/** A route on the phone; `datos` is null once they were forgotten, for the reason `perdida`. */
export interface RutaGuardada extends Contacto {
  enlace: string;
  piloto: string;
  datos: Datos | null;
  perdida?: Perdida;
}

/** An action that is to be stored: the phone numbers it. */
export type Nueva = Omit<Accion, 'n'>;

/**
 * The phone's stores: `rutas` has the service's answers, by link, and is the only place where people's data are;
 * `acciones` has what the driver did and the service has not taken yet, in order. All tabs use the same.
 */
interface Schema extends DBSchema {
  rutas: { key: string; value: RutaGuardada };
  acciones: { key: number; value: Nueva; indexes: { piloto: string } };
}

/** A transaction is on the disk before it is done: the page may be killed at any time. */
const DURABLE = { durability: 'strict' } as const;

const EMPTY: Datos = { ahora: '', piloto: { id: '', nombre: '' }, guias: [], caja: [], hay_mas: false };

/** Earlier pages kept as refused what the service had failed to do. */
const FAILED = 'error_interno';

const isOf =
  (guia: string) =>
  (accion: Accion): boolean =>
    accion.guia === guia;

/** A refusal that was read, until the service knows it: of the action its number alone is kept. */
function understood({ evento: { guia, ref, ocurrido_en }, ...accion }: Accion): Accion {
  return { ...accion, evento: { guia, ref, ocurrido_en }, entendida: true };
}

/** A stored action has its number. */
const numbered = (acciones: Nueva[]) => acciones as Accion[];

export class Store {
  static async open(): Promise<Store> {
    const db = await openDB<Schema>('guias-ruta', 1, {
      upgrade(made) {
        made.createObjectStore('rutas', { keyPath: 'enlace' });
        made
          .createObjectStore('acciones', { keyPath: 'n', autoIncrement: true })
          .createIndex('piloto', 'piloto');
      },
    });
    const store = new Store(db);
    // A phone without room still shows the route.
    await Promise.allSettled([store.retryFailed(), store.forgetOld()]);
    return store;
  }

  private constructor(private readonly db: IDBPDatabase<Schema>) {}

  /** Actions that an earlier page kept as refused though the service had failed wait again. */
  private async retryFailed(): Promise<void> {
    const tx = this.db.transaction('acciones', 'readwrite', DURABLE);
    for (const accion of await tx.store.getAll())
      if (accion.rechazo?.codigo === FAILED && !accion.entendida)
        await tx.store.put({ ...accion, rechazo: null });
    await tx.done;
  }

  /** Also of links that nobody opens any more, as of another driver on this phone. */
  private async forgetOld(): Promise<void> {
    for (const { enlace, datos, contacto } of await this.db.getAll('rutas'))
      if (datos && Math.abs(Date.now() - contacto) > DAY_MS) await this.forget(enlace, 'dia');
  }

  ruta(enlace: string): Promise<RutaGuardada | undefined> {
    return this.db.get('rutas', enlace);
  }

  /** The service's newest data; other links of the same driver are forgotten. */
  async save(enlace: string, fresh: Datos, contact: Contacto): Promise<void> {
    const tx = this.db.transaction('rutas', 'readwrite', DURABLE);
    let known = await tx.store.get(enlace);
    for (const ruta of await tx.store.getAll()) {
      if (ruta.piloto !== fresh.piloto.id || ruta.enlace === enlace) continue;
      if (!known?.datos) known = ruta;
      await tx.store.delete(ruta.enlace);
    }
    await tx.store.put({ enlace, piloto: fresh.piloto.id, datos: merged(fresh, known?.datos), ...contact });
    await tx.done;
  }

  /** Deletes all people of a link; what waits stays, and goes out with the driver's next link. What was refused keeps its reason alone. */
  async forget(enlace: string, perdida: Perdida): Promise<void> {
    const tx = this.db.transaction(['acciones', 'rutas'], 'readwrite', DURABLE);
    const [acciones, rutas] = [tx.objectStore('acciones'), tx.objectStore('rutas')];
    const known = await rutas.get(enlace);
    if (known) {
      const { piloto, contacto, desfase } = known;
      await rutas.put({ enlace, piloto, contacto, desfase, datos: null, perdida });
      for (const accion of await acciones.index('piloto').getAll(piloto)) {
        if (waits(accion)) continue;
        const { recibio: _, nota: __, lat: ___, lng: ____, ...evento } = accion.evento;
        await acciones.put({ ...accion, evento });
      }
    }
    await tx.done;
  }

  /** The service was reached: says of what was done since the contact before when it happened. */
  async date(piloto: string, desfase: number, now: number): Promise<void> {
    const tx = this.db.transaction('acciones', 'readwrite', DURABLE);
    const own = await tx.store.index('piloto').getAll(piloto);
    const known = dated(own, desfase, now);
    for (const [i, accion] of known.entries()) if (accion !== own[i]) await tx.store.put(accion);
    await tx.done;
  }

  /** The driver has opened the view of a guide. */
  async see(enlace: string, guia: string): Promise<void> {
    const tx = this.db.transaction('rutas', 'readwrite', DURABLE);
    const ruta = await tx.store.get(enlace);
    if (ruta?.datos) await tx.store.put({ ...ruta, datos: seen(ruta.datos, guia) });
    await tx.done;
  }

  /** A driver's actions in order, those whose refusal they have not read included. */
  async acciones(piloto: string): Promise<Accion[]> {
    return (await this.all(piloto)).filter(({ entendida }) => !entendida);
  }

  /** Actions whose refusal was read, which the service does not know. */
  async understood(piloto: string): Promise<Accion[]> {
    return (await this.all(piloto)).filter(({ entendida }) => entendida);
  }

  private async all(piloto: string): Promise<Accion[]> {
    return numbered(await this.db.getAllFromIndex('acciones', 'piloto', piloto));
  }

  async waiting(piloto: string): Promise<Accion[]> {
    return (await this.acciones(piloto)).filter(waits);
  }

  /** Throws where there is no room: then nothing is stored. */
  async add(acciones: readonly Nueva[]): Promise<void> {
    const tx = this.db.transaction('acciones', 'readwrite', DURABLE);
    await Promise.all([...acciones.map((accion) => tx.store.add(accion)), tx.done]);
  }

  /** Drops the last action of a guide that waits; false if there is none, or it may have reached the service. */
  async dropLast(piloto: string, guia: string): Promise<boolean> {
    const tx = this.db.transaction('acciones', 'readwrite', DURABLE);
    const all = numbered(await tx.store.index('piloto').getAll(piloto));
    const last = all.filter(isOf(guia)).filter(waits).at(-1);
    const isHere = last !== undefined && !last.enviada;
    if (isHere) await tx.store.delete(last.n);
    await tx.done;
    return isHere;
  }

  /** These are about to be sent, each with its time: from now on they may have reached the service. */
  async markSent(acciones: readonly Accion[]): Promise<Accion[]> {
    const tx = this.db.transaction('acciones', 'readwrite', DURABLE);
    const sent: Accion[] = [];
    for (const { n } of acciones) {
      const stored = await tx.store.get(n);
      if (!stored) continue;
      const marked = { ...stored, n, enviada: true };
      sent.push(marked);
      await tx.store.put(marked);
    }
    await tx.done;
    return sent;
  }

  /** Keeps what the service answered; whether some of the actions are to be sent again. */
  async settle(
    enlace: string,
    sent: readonly Accion[],
    resultados: readonly Resultado[],
    contact: Contacto,
  ): Promise<boolean> {
    const tx = this.db.transaction(['acciones', 'rutas'], 'readwrite', DURABLE);
    const [acciones, rutas] = [tx.objectStore('acciones'), tx.objectStore('rutas')];
    const ruta = await rutas.get(enlace);
    const { datos, done, refused, held, settled, left } = settle(ruta?.datos ?? EMPTY, sent, resultados);
    if (ruta?.datos) await rutas.put({ ...ruta, datos, ...contact });
    for (const n of done) await acciones.delete(n);
    const byNumber = new Map(sent.map((accion) => [accion.n, accion]));
    for (const [n, rechazo] of refused) await acciones.put({ ...byNumber.get(n)!, rechazo });
    const [first] = sent;
    for (const accion of numbered(await acciones.index('piloto').getAll(first!.piloto))) {
      const { n, guia } = accion;
      const why = held.get(guia);
      // What was refused before is settled by what was done since.
      if (accion.rechazo && n < first!.n && settled.has(guia)) await acciones.put(understood(accion));
      // What waits behind a refused undo was done to a guide that is not so.
      else if (waits(accion) && !byNumber.has(n) && why) await acciones.put({ ...accion, rechazo: why });
    }
    await tx.done;
    return left;
  }

  /** The driver has read the refusals of a guide, or all of them. */
  async dismiss(piloto: string, guia?: string): Promise<void> {
    const tx = this.db.transaction('acciones', 'readwrite', DURABLE);
    const all = numbered(await tx.store.index('piloto').getAll(piloto));
    for (const accion of guia === undefined ? all : all.filter(isOf(guia)))
      if (accion.rechazo && !accion.entendida) await tx.store.put(understood(accion));
    await tx.done;
  }

  async remove(acciones: readonly Accion[]): Promise<void> {
    const tx = this.db.transaction('acciones', 'readwrite', DURABLE);
    for (const { n } of acciones) await tx.store.delete(n);
    await tx.done;
  }
}
