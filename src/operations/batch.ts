import type { Logger } from 'pino';
import { isUuid } from '../platform/database/row-id.js';
import { isGuiaNumero } from '../guias/guia/guia-digits.js';
import { toItemError } from '../guias/lote/item-error.js';
import { TimeoutError, withTimeout } from '../platform/timeouts/with-timeout.js';
import { parseInstant } from '../platform/validation/instant.js';
import { toRefusal, type EventoRechazadoDto } from './dto/registrar-evento.dto.js';

/** Guides of a batch that are served at the same time. */
const GUIAS_AT_ONCE = 4;

/** ms before the answer is due; what is left of a batch by then is refused. */
const ANSWER_MARGIN_MS = 200;

interface Batch<Done> {
  /** Reads an item, and returns what serves it; both may throw, which refuses that item alone. */
  read: (item: unknown) => () => Promise<Done>;
  /** When the answer is due, as `performance.now()` counts. */
  deadline: number;
  /** Detail for an item that was not served in time, or nobody knows. */
  late: string;
  logger: Logger;
}

/**
 * Serves each item by itself; one result for each, in the order of the request. Guides are served side by side, the items of
 * one guide by their time; those after one that we failed to serve are refused, as it may be sent again.
 */
export async function serveBatch<Done extends object>(
  items: readonly unknown[],
  { read, deadline, late, logger }: Batch<Done>,
): Promise<(Done | EventoRechazadoDto)[]> {
  const results: (Done | EventoRechazadoDto)[] = [];
  const serveItem = async (item: unknown, leftMs: number) => {
    try {
      const run = read(item);
      if (leftMs <= 0) throw new TimeoutError();
      return await withTimeout(leftMs, run());
    } catch (error) {
      return toRefusal(toItemError(error, late, logger));
    }
  };
  const waiting = indexesByGuia(items).values();
  const serve = async () => {
    for (const indexes of waiting) {
      let isUnavailable = false;
      for (const i of indexes) {
        const leftMs = isUnavailable ? 0 : deadline - ANSWER_MARGIN_MS - performance.now();
        const result = await serveItem(items[i], leftMs);
        isUnavailable = 'status' in result && Number(result.status) >= 500;
        results[i] = result;
      }
    }
  };
  await Promise.all(Array.from({ length: GUIAS_AT_ONCE }, serve));
  return results;
}

/**
 * The indexes of the items of each guide, by `ocurrido_en`, those without one last and ties in the order sent; of all as one
 * where a guide may be named by its id and by its number.
 */
export function indexesByGuia(items: readonly unknown[]): number[][] {
  const names = items.map(nameOf);
  const isMixed = names.some(isUuid) && names.some(isGuiaNumero);
  const byName = new Map<string, number[]>();
  for (const [i, name] of names.entries()) {
    const key = isMixed ? '' : name;
    const indexes = byName.get(key);
    if (indexes) indexes.push(i);
    else byName.set(key, [i]);
  }
  const times = items.map(timeOf);
  return [...byName.values()].map((indexes) =>
    indexes.sort((a, b) => (times[a] === times[b] ? a - b : times[a]! - times[b]!)),
  );
}

/** An item is a guide's name, or an event that has it. */
function nameOf(item: unknown): string {
  const guia = typeof item === 'string' ? item : fieldOf(item, 'guia');
  return typeof guia === 'string' ? guia.trim().toLowerCase() : '';
}

/** ms since 1970; later than all for an item without a time. */
function timeOf(item: unknown): number {
  const at = fieldOf(item, 'ocurrido_en');
  return (typeof at === 'string' ? parseInstant(at.trim(), 'from') : undefined) ?? Number.MAX_VALUE;
}

function fieldOf(item: unknown, name: string): unknown {
  return typeof item === 'object' && item !== null ? (item as Record<string, unknown>)[name] : undefined;
}
