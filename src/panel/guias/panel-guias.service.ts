import { Injectable } from '@nestjs/common';
import type { QueryConfig } from 'pg';
import { Reads } from '../../database/replicas/reads.js';
import { MAX_LABELS } from '../../etiquetas/etiqueta.dto.js';
import { isGuiaEstado, type GuiaEstado } from '../../guias/guia-estado.js';
import type { GuiaRow } from '../../guias/guia-row.js';
import { GuiaListService } from '../../guias/list/guia-list.service.js';
import { guiaQueries } from '../../guias/search/guia-searches.js';
import { readSearch } from '../../guias/search/search-terms.js';
import type { FoundGuia } from '../../guias/search/search.queries.js';
import type { Form } from '../../http/form-texts.js';
import { dayOf, instantOf } from '../../validation/time-zone.js';
import type { Visit } from '../visit.js';
import { guiasById, guiasOfDay, guiasToPrint, printedOf } from './panel-guias.queries.js';

/** Guides on a page, which has at most 60 KB with its styles. */
const PAGE = 40;

/** The guides that a page shows, and by what. */
export interface GuiaView {
  q: string;
  estado: GuiaEstado | undefined;
  /** Whether it shows the guides that came to the state today. */
  isToday: boolean;
  /** Whether it shows the guides that wait for the courier with a printed label, or those without. */
  impresa: 'si' | 'no' | undefined;
  guias: GuiaRow[];
  /** The query of the next page; undefined on the last one. */
  next: Record<string, string> | undefined;
  /** Whether the search found more than it shows. */
  isCut: boolean;
  /** The ids of the guides whose label was printed. */
  printed: ReadonlySet<string>;
}

/** Lists and searches a merchant's guides for its pages. */
@Injectable()
export class PanelGuiasService {
  constructor(
    private readonly reads: Reads,
    private readonly lists: GuiaListService,
  ) {}

  /** @throws AppError `cursor_invalido` */
  async view(visit: Visit, query: Form): Promise<GuiaView> {
    const view = await this.select(visit, query);
    const ids = view.guias.map(({ id }) => id);
    const printed = await this.rows<{ id: string }>(printedOf(visit.merchant.id, ids));
    return { ...view, printed: new Set(printed.map(({ id }) => id)) };
  }

  private async select(
    visit: Visit,
    { q: typed = '', estado: name, hoy, cursor, pagina, impresa }: Form,
  ): Promise<Omit<GuiaView, 'printed'>> {
    const q = typed.trim().slice(0, 120);
    const estado = isGuiaEstado(name) ? name : undefined;
    const plain = { q, estado, isToday: false, isCut: false, next: undefined, impresa: undefined };
    if (q !== '') {
      const found = await this.search(visit, q);
      const guias = found.filter((guia) => estado === undefined || guia.estado === estado);
      return { ...plain, guias, isCut: found.length === PAGE };
    }
    if (impresa === 'si' || impresa === 'no') {
      const query = guiasToPrint(visit.merchant.id, impresa === 'si', MAX_LABELS);
      return { ...plain, impresa, estado: undefined, guias: await this.rows<GuiaRow>(query) };
    }
    if (hoy !== undefined && estado !== undefined) {
      const page = /^[1-9]\d{0,3}$/.test(pagina ?? '') ? Number(pagina) : 1;
      const range = { rows: PAGE + 1, offset: (page - 1) * PAGE };
      const guias = await this.rows<GuiaRow>(
        guiasOfDay(visit.merchant.id, startOfToday(visit), estado, range),
      );
      const next = guias.length > PAGE ? { hoy: 'si', pagina: String(page + 1) } : undefined;
      return { ...plain, isToday: true, guias: guias.slice(0, PAGE), next };
    }
    const filter = estado === undefined ? {} : { estados: [estado] };
    const { guias, siguiente_cursor } = await this.lists.list(visit.merchant, filter, {
      limit: String(PAGE),
      cursor,
    });
    return { ...plain, guias, next: siguiente_cursor === null ? undefined : { cursor: siguiente_cursor } };
  }

  /** Whether a text may be a phone, which must not stand in an address. */
  isPhone({ merchant }: Visit, q: string): boolean {
    const { telefonos, ultimos, numero } = readSearch(q, [merchant.country], true);
    return numero === undefined && (telefonos !== undefined || ultimos !== undefined);
  }

  /** By number, reference, phone or its end, and words of name or reference. */
  private async search({ merchant }: Visit, q: string): Promise<GuiaRow[]> {
    const ids = [merchant.id];
    const terms = readSearch(q, [merchant.country], true);
    const found = new Set<string>();
    for (const { query } of guiaQueries(terms, ids, ids))
      for (const { id } of await this.rows<FoundGuia>(query)) found.add(id);
    return this.rows<GuiaRow>(guiasById(merchant.id, [...found].slice(0, PAGE)));
  }

  private async rows<Row extends object>(query: QueryConfig): Promise<Row[]> {
    return (await this.reads.query<Row>(query)).rows;
  }
}

/** When today began where the merchant is. */
export function startOfToday({ zone }: Visit): Date {
  return new Date(instantOf(Date.parse(dayOf(Date.now(), zone)), zone));
}
