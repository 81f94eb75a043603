import { canMove, type GuiaEstado } from '../../src/guias/guia/guia-estado.js';
import type { Lives } from './lives.js';

/** A guide as its merchant sees it, with its history. */
interface Seen {
  guia: any;
  etag: string;
  events: any[];
}

/** Reads both; consistent only while nothing changes the guide. */
export async function see(lives: Lives, guia: { id: string }): Promise<Seen> {
  return { ...(await lives.read(guia)), events: await lives.events(guia) };
}

const MOVES = ['guia.creada', 'guia.estado_cambiado', 'guia.cancelada'];

/** Expects what holds for every guide, whatever requests were made, even simultaneous ones. */
export function expectSoundHistory({ guia, etag, events }: Seen): void {
  const numbers = events.map(({ secuencia }) => secuencia as number);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  expect(Number(JSON.parse(etag))).toBeGreaterThanOrEqual(numbers.at(-1)!);

  const [first, ...moves] = events.filter(({ tipo }) => MOVES.includes(tipo));
  expect([first.tipo, first.secuencia]).toEqual(['guia.creada', 1]);
  let estado: GuiaEstado = first.estado;
  for (const { tipo, secuencia, estado_anterior, estado: next } of moves) {
    expect({ secuencia, from: estado_anterior }).toEqual({ secuencia, from: estado });
    expect({ from: estado, to: next, isLegal: canMove(estado, next) }).toEqual({
      from: estado,
      to: next,
      isLegal: true,
    });
    expect(tipo).toBe(next === 'cancelado' ? 'guia.cancelada' : 'guia.estado_cambiado');
    estado = next;
  }
  expect(guia.estado).toBe(estado);

  const differs = events.filter(({ tipo }) => tipo === 'guia.cod_distinto');
  expect(guia.advertencias.filter((code: string) => code === 'cod_distinto')).toHaveLength(differs.length);
  expect(differs.length).toBeLessThanOrEqual(1);
  expect(events.some(({ tipo }) => tipo === 'guia.confirmada') || !guia.direccion_confirmada).toBe(true);
}
