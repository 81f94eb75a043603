import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Merchant } from '../../auth/merchants/merchant.js';
import { AppError, type FieldError } from '../../platform/errors/app-error.js';
import { InjectLogger } from '../../platform/logging/logging.module.js';
import { inspect, validValue, type Inspected } from '../../platform/validation/read-input.js';
import { differingFields } from '../create/differing-fields.js';
import { CrearGuiaDto, toNewGuia } from '../dto/crear-guia.dto.js';
import type { GuiaDetalleRow } from '../guia/guia-row.js';
import { GuiasService, toRepeated } from '../guias.service.js';
import { cellFault } from './csv-cells.js';
import { GUIA } from './csv-header.js';
import { ErrorBudget } from './error-budget.js';
import { toItemError } from './item-error.js';
import { referenceOf, type LoteItem } from './lote-item.js';
import { mapInTurns } from './map-in-turns.js';
import { toCreada, toRechazada, type ResultadoDeLote } from './lote.dto.js';

/**
 * Items in flight at a time; one statement writes them. The next statement writes what other requests have sent meanwhile,
 * so that a single create waits for one statement of a batch at most.
 */
const TOGETHER = 64;

/** ms that a batch waits for map services; links not expanded by then are expanded after the response. */
const LINKS_MS = 1_500;

const LATE =
  'No se alcanzó a crear, o no se sabe. Repita el lote: lo que lleva `external_ref` no se crea dos veces.';

type ReadItem = LoteItem & { read: Inspected<CrearGuiaDto> };

type Outcome = { result: ResultadoDeLote } | { item: LoteItem; error: AppError };

@Injectable()
export class LoteService {
  constructor(
    private readonly guias: GuiasService,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * Creates each item's guide, or finds the one with its external_ref. An item's error does not affect the others.
   * @param deadline when the answer is due, as `performance.now()` counts; nothing is written after it.
   * @returns a result for each item, in order.
   * @throws AppError `no_disponible` if that is the answer to every item that is valid.
   */
  async create(merchant: Merchant, items: LoteItem[], deadline: number): Promise<ResultadoDeLote[]> {
    const linksUntil = performance.now() + LINKS_MS;
    const own = await this.guias.findOwn(
      merchant.id,
      items.flatMap(({ guia }) => guia ?? []),
    );
    const budget = new ErrorBudget();
    const results: ResultadoDeLote[] = [];
    let unavailable: AppError | undefined;
    for (let next = 0; next < items.length; next += TOGETHER) {
      const group = await mapInTurns(items.slice(next, next + TOGETHER), (item) => ({
        ...item,
        read: readItem(item, merchant),
      }));
      const outcomes = await inTurn(group, (item) =>
        item.guia === undefined
          ? this.createOne(merchant, item, deadline, linksUntil, unavailable)
          : Promise.resolve(repeated(item, own.get(item.guia))),
      );
      for (const outcome of outcomes) {
        if ('error' in outcome) {
          if (outcome.error.codigo === 'no_disponible') unavailable ??= outcome.error;
          results.push(toRechazada(outcome.item, budget.limit(outcome.error)));
        } else results.push(outcome.result);
      }
    }
    if (unavailable && !results.some(({ status }) => status < 300)) throw unavailable;
    return results;
  }

  private async createOne(
    merchant: Merchant,
    item: ReadItem,
    deadline: number,
    linksUntil: number,
    unavailable: AppError | undefined,
  ): Promise<Outcome> {
    try {
      const dto = validValue(item.read);
      if (unavailable) throw new AppError('no_disponible', { detail: LATE });
      return { result: toCreada(item, await this.guias.create(merchant, dto, deadline, linksUntil)) };
    } catch (error) {
      return { item, error: toItemError(error, LATE, this.logger) };
    }
  }
}

/**
 * Creates all items at a time, except that an item waits until the one before it with the same reference is done: of two, the
 * first makes the guide. Once it is made, the order of its repeats does not matter.
 */
function inTurn(items: ReadItem[], create: (item: ReadItem) => Promise<Outcome>): Promise<Outcome[]> {
  /** By reference: whether an item so far has made, or found, the guide. */
  const made = new Map<string, Promise<boolean>>();
  return Promise.all(
    items.map((item) => {
      const reference = referenceOf(item.input);
      const earlier = reference === null ? undefined : made.get(reference);
      const outcome = earlier ? earlier.then(() => create(item)) : create(item);
      if (reference !== null)
        made.set(
          reference,
          (earlier ?? Promise.resolve(false)).then(async (isMade) => isMade || 'result' in (await outcome)),
        );
      return outcome;
    }),
  );
}

/**
 * The fault of a guide number that the merchant does not have. A number that a spreadsheet has cut gets that fault instead: with
 * the cell emptied, the row would create the guide twice.
 */
export function unknownGuia(guia: string): FieldError {
  return (
    cellFault(GUIA, guia, ',') ?? {
      campo: GUIA,
      codigo: 'formato',
      mensaje: 'Ninguna guía suya tiene este número. Para crear una guía nueva, deje la celda vacía.',
    }
  );
}

/** A row of an exported list: it creates nothing. */
function repeated(item: ReadItem, guia: GuiaDetalleRow | undefined): Outcome {
  if (guia) return { result: toCreada(item, toRepeated(guia, differingInRow(item.read, guia))) };
  return { item, error: AppError.validation([unknownGuia(item.guia!)]) };
}

/**
 * Fields of a row with a guide number that differ from its guide; the row changes nothing. An invalid value differs; a column
 * that the file leaves out does not.
 */
export function differingInRow(
  { value: dto, errors }: Inspected<CrearGuiaDto>,
  guia: GuiaDetalleRow,
): string[] {
  const wrong = errors.filter(({ codigo }) => codigo !== 'requerido').map(({ campo }) => campo);
  if (!dto || wrong.length > 0) return [...new Set(wrong)];
  dto.recogida ??= {};
  try {
    return differingFields(dto, toNewGuia(dto), guia);
  } catch (error) {
    if (error instanceof AppError && error.errores) return error.errores.map(({ campo }) => campo);
    throw error;
  }
}

export function readItem(
  { input, faults = [] }: LoteItem,
  { country, currency }: Pick<Merchant, 'country' | 'currency'>,
): Inspected<CrearGuiaDto> {
  const { value, errors } = inspect(CrearGuiaDto, input, { country, currency });
  const others = errors.filter(({ campo }) => !faults.some((fault) => fault.campo === campo));
  return { ...(value && { value }), errors: [...faults, ...others] };
}
