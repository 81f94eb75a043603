import { Injectable } from '@nestjs/common';
import type { QueryConfig } from 'pg';
import { MAX_OF_FILTER } from '../../../etiquetas/etiqueta.dto.js';
import type { Tamano } from '../../../etiquetas/sheets.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { Reads } from '../../../platform/database/replicas/reads.js';
import { isGuiaEstado, type GuiaEstado } from '../../../guias/guia/guia-estado.js';
import { toEventoDeSoporte, type EventoDeSoporte, type EventoRow } from '../../../guias/dto/evento.dto.js';
import { toGuiaRespuesta } from '../../../guias/dto/guia.dto.js';
import type { GuiaRow } from '../../../guias/guia/guia-row.js';
import { GuiasService } from '../../../guias/guias.service.js';
import { TimelineService } from '../../../guias/history/timeline.service.js';
import { GuiaListService } from '../../../guias/list/guia-list.service.js';
import { guiaQueries } from '../../../guias/search/guia-searches.js';
import { readSearch } from '../../../guias/search/search-terms.js';
import { MAX_RESULTS } from '../../../guias/search/search.queries.js';
import { guiasOfCause, ownerCauses } from '../../../guias/today/owner-causes.queries.js';
import { TrackingLinksService } from '../../../guias/tracking/tracking-links.service.js';
import { pageIn, type Form } from '../../../platform/http/form-texts.js';
import { dayOf, instantOf } from '../../../platform/validation/time-zone.js';
import type { TypedForm } from '../../kit/field.js';
import { AjustesService } from '../ajustes/ajustes.service.js';
import type { Visit } from '../visit.js';
import { readFilter, type PanelFilter } from './list-filter.js';
import {
  countsOfDay,
  countsOfStates,
  guiasOfDay,
  guiasOfPlace,
  MAX_OF_PLACE,
  guiasToPrint,
  hasPiloto,
  MAX_COUNTED,
  marksOf,
  type GuiaMarks,
} from './panel-guias.queries.js';

/** The states that have a tab, and its name; the others are chosen in the filters. */
export const TABS: readonly (readonly [estado: GuiaEstado, name: string])[] = [
  ['aceptado', 'Por recoger'],
  ['en_ruta', 'En ruta'],
  ['intento_fallido', 'No se pudo'],
  ['entregado', 'Entregadas'],
  ['devuelto', 'Devueltas'],
];

const TAB_ESTADOS = TABS.map(([estado]) => estado);

/** Guides on a page, which has at most 60 KB with its styles. */
const PAGE = 40;

const MAX_SEARCH = 120;

/** Events on the page of a guide, which has few. */
const MAX_EVENTOS = 100;

/** The guides that a page shows, and by what. */
export interface GuiasView {
  q: string;
  estado: GuiaEstado | undefined;
  typed: TypedForm;
  /** How many guides there are in all, `MAX_COUNTED` + 1 at most. */
  total: number;
  /** How many each state of a tab has, `MAX_COUNTED` + 1 at most. */
  counts: ReadonlyMap<GuiaEstado, number>;
  /** Whether it shows guides that the first page counts: of a warning, or those that came to the state today. */
  isToday: boolean;
  /** Whether it shows the guides that wait for the courier with a printed label, or those without. */
  impresa: 'si' | 'no' | undefined;
  guias: GuiaRow[];
  /** Where the next page begins, which is a page's number where `isToday`; null on the last one. */
  next: string | null;
  /** Whether there may be more than it shows. */
  isCut: boolean;
  /** Whether the search ended before it found all. */
  isCapped: boolean;
  /** By the id of the guide. */
  marks: ReadonlyMap<string, GuiaMarks>;
  tamano: Tamano;
}

export type GuiaView = Awaited<ReturnType<PanelGuiasService['load']>>;

/** Lists, searches and reads a merchant's guides for its pages. */
@Injectable()
export class PanelGuiasService {
  constructor(
    private readonly reads: Reads,
    private readonly lists: GuiaListService,
    private readonly guias: GuiasService,
    private readonly timeline: TimelineService,
    private readonly tracking: TrackingLinksService,
    private readonly ajustes: AjustesService,
  ) {}

  /** @throws AppError `no_encontrado`, also for another merchant's guide. */
  async load({ merchant }: Visit, idOrGuia: string) {
    const row = await this.guias.readFromPrimary(merchant, idOrGuia);
    const { eventos } = await this.timeline.pageOf(
      { comercioId: merchant.id, id: row.id },
      { limit: String(MAX_EVENTOS) },
      toEventoDelComercio,
    );
    const { guia } = toGuiaRespuesta(row, merchant.country, this.tracking.linkTo(row));
    const [held] = await this.rows<{ con_piloto: boolean }>(hasPiloto(merchant.id, row.id));
    // The name of its driver is the courier's alone.
    return { guia, row, eventos, hasPiloto: held?.con_piloto ?? false };
  }

  /** @throws AppError `cursor_invalido` */
  async view(visit: Visit, query: Form): Promise<GuiasView> {
    const { id } = visit.merchant;
    const [view, tamano, counts] = await Promise.all([
      this.select(visit, query),
      this.ajustes.tamanoOf(id),
      this.rows<{ estado: GuiaEstado; guias: number }>(countsOfStates(id, TAB_ESTADOS)),
    ]);
    const ids = view.guias.map((guia) => guia.id);
    const marks = await this.rows<GuiaMarks>(marksOf(id, ids));
    return {
      ...view,
      tamano,
      counts: new Map(counts.map(({ estado, guias }) => [estado, guias])),
      marks: new Map(marks.map((one) => [one.id, one])),
    };
  }

  /**
   * The ids of the guides that match what the page shows, `MAX_OF_FILTER` at most, in its order.
   * @throws AppError `validacion` for a wrong filter
   */
  async matching(visit: Visit, { cursor: _, pagina: __, ...query }: Form): Promise<string[]> {
    const { typed, guias } = await this.select(visit, query, MAX_OF_FILTER);
    if (typed.faults.length > 0) throw AppError.validation([...typed.faults]);
    return guias.map(({ id }) => id);
  }

  /** All guides of a filter. @throws AppError `validacion` for a wrong one */
  csv({ merchant, zone }: Visit, query: Form): Promise<AsyncIterable<string>> {
    const { filter, faults } = readFilter(query, zone);
    if (faults.length > 0) throw AppError.validation(faults);
    return this.lists.csv(merchant, filter);
  }

  /** @param rows of a page. */
  private async select(
    visit: Visit,
    query: Form,
    rows = PAGE,
  ): Promise<Omit<GuiasView, 'marks' | 'counts' | 'tamano'>> {
    const { q: sought = '', estado: name, hoy, cursor, impresa } = query;
    const { merchant, zone } = visit;
    const q = searched(sought);
    const estado = isGuiaEstado(name) ? name : undefined;
    const { fields, faults, filter } = readFilter(query, zone);
    const plain = {
      q,
      estado,
      typed: { fields, faults },
      isToday: false,
      isCut: false,
      isCapped: false,
      next: null,
      impresa: undefined,
    };
    if (faults.length > 0) return { ...plain, guias: [], total: 0 };
    if (q !== '') {
      const { ids, isCapped } = await this.search(visit, q);
      const guias = await this.lists.among(merchant, ids, filter);
      const isCut = guias.length > rows;
      return { ...plain, guias: guias.slice(0, rows), total: guias.length, isCut, isCapped };
    }
    if (impresa === 'si' || impresa === 'no') {
      const toPrint = guiasToPrint(merchant.id, impresa === 'si', rows);
      const guias = await this.rows<GuiaRow & { todas: number }>(toPrint);
      const total = guias[0]?.todas ?? 0;
      const typed = { fields: {}, faults };
      return { ...plain, impresa, typed, estado: undefined, guias, total, isCut: total > rows };
    }
    const page = pageIn(query);
    const range = { rows: rows + 1, offset: (page - 1) * rows };
    const { advertencia } = fields;
    const ofToday = (found: GuiaRow[], total: number, shown: PanelFilter['fields']) => ({
      ...plain,
      typed: { fields: shown, faults },
      isToday: true,
      guias: found.slice(0, rows),
      total,
      next: found.length > rows ? String(page + 1) : null,
    });
    if (hoy !== undefined && estado === undefined && advertencia !== undefined) {
      const [guias, causes] = await Promise.all([
        this.rows<GuiaRow>(guiasOfCause(merchant.id, advertencia, range)),
        ownerCauses(this.reads, merchant.id),
      ]);
      const total = causes.find(({ causa }) => causa === advertencia)?.cuantas ?? 0;
      return ofToday(guias, total, { advertencia });
    }
    if (hoy !== undefined && estado !== undefined) {
      const since = startOfToday(visit);
      const [guias, counts] = await Promise.all([
        this.rows<GuiaRow>(guiasOfDay(merchant.id, since, estado, range)),
        this.rows<{ estado: GuiaEstado; guias: number }>(countsOfDay(merchant.id, since)),
      ]);
      return ofToday(guias, counts.find((one) => one.estado === estado)?.guias ?? 0, { estado });
    }
    const [{ guias, siguiente_cursor }, total] = await Promise.all([
      this.lists.list(merchant, filter, { limit: String(rows), cursor }),
      this.lists.count(merchant, filter, MAX_COUNTED + 1),
    ]);
    return { ...plain, guias, total, next: siguiente_cursor };
  }

  /** Whether a text may be a phone, which must not stand in an address. */
  isPhone({ merchant }: Visit, q: string): boolean {
    const { telefonos, ultimos, numero } = readSearch(q, [merchant.country], true);
    return numero === undefined && (telefonos !== undefined || ultimos !== undefined);
  }

  /** The ids of guides by number, reference, phone or its end, words of name or reference, and place. */
  private async search({ merchant }: Visit, q: string): Promise<{ ids: string[]; isCapped: boolean }> {
    const ids = [merchant.id];
    const terms = readSearch(q, [merchant.country], true);
    const found = new Set<string>();
    let isCapped = false;
    const find = async (query: QueryConfig, limit: number) => {
      const rows = await this.rows<{ id: string }>(query);
      for (const { id } of rows) found.add(id);
      isCapped ||= rows.length >= limit;
    };
    for (const { query } of guiaQueries(terms, ids, ids)) await find(query, MAX_RESULTS);
    if (terms.palabras !== undefined && !/\d/.test(q)) await find(guiasOfPlace(merchant.id, q), MAX_OF_PLACE);
    return { ids: [...found], isCapped };
  }

  private async rows<Row extends object>(query: QueryConfig): Promise<Row[]> {
    return (await this.reads.query<Row>(query)).rows;
  }
}

/** Merchants do not read who of support or of a courier did something. */
function toEventoDelComercio(row: EventoRow): EventoDeSoporte {
  return { ...toEventoDeSoporte({ ...row, operador: null }, true), usuario: null, piloto: null };
}

/** A typed text, cut for the search: it stands in an address. */
export const searched = (typed: string): string => typed.trim().slice(0, MAX_SEARCH);

/** When today began where the merchant is. */
export function startOfToday({ zone }: Visit): Date {
  return new Date(instantOf(Date.parse(dayOf(Date.now(), zone)), zone));
}
