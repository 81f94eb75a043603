import { Injectable } from '@nestjs/common';
import { CONSOLE } from '../../../auth/operators/operators.service.js';
import { Database } from '../../../platform/database/database.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { checkChosen } from '../../../etiquetas/etiqueta.dto.js';
import { EtiquetasService, type LabelFile } from '../../../etiquetas/etiquetas.service.js';
import { inFours, isGuiaNumero } from '../../../guias/guia/guia-digits.js';
import { valuesIn } from '../../../platform/http/form-texts.js';
import { MAX_ASIGNADAS } from '../../../pilotos/asignaciones/asignacion.dto.js';
import { AsignacionesService } from '../../../pilotos/asignaciones/asignaciones.service.js';
import type { PilotoDto } from '../../../pilotos/dto/piloto.dto.js';
import { PilotosService } from '../../../pilotos/pilotos.service.js';
import type { Sent } from '../../kit/forms/sent-form.js';
import type { StaffUser } from '../admin-access.js';
import { AuditService, type Failed, type Done } from '../audit/audit.service.js';
import { BulkService } from '../bulk/bulk.service.js';
import { counted } from '../../kit/elements.js';
import {
  boardOf,
  findMatches,
  keysOf,
  listByNumber,
  listGuias,
  scannedOf,
  unusualOf,
  type KeyRow,
  type ListedRow,
  type MatchesRow,
  type ScannedRow,
  type UnusualRow,
} from './dispatch.queries.js';
import { NADIE, type DispatchFilter, type View } from './dispatch-filter.js';
import { toScanned, unusualIn, type Scanned } from './dispatch-texts.js';

/** Guides on a page of the list; as many can be printed or assigned at once. */
export const PAGE = 100;

/** Guides whose assignment a dispatcher waits for; more are assigned in the background. */
const MAX_WAITED = 200;

/** ms for the assignment of 100 guides, in the background. */
const CHUNK_MS = 20_000;

export interface Board extends Omit<MatchesRow, 'pagina'> {
  /** The page's, in their order. */
  guias: ListedRow[];
  chosen: ListedRow[];
  /** Numbers that were named and that no guide to be moved has. */
  unknown: string[];
}

/** Assignment and lists of the dispatcher, by the services that operators' requests use. */
@Injectable()
export class DispatchService {
  constructor(
    private readonly database: Database,
    private readonly asignaciones: AsignacionesService,
    private readonly pilotos: PilotosService,
    private readonly etiquetas: EtiquetasService,
    private readonly audit: AuditService,
    private readonly bulk: BulkService,
  ) {}

  /** @param names numbers of chosen guides, as they were typed or scanned. */
  async board({ filter, page }: View, names: readonly string[]): Promise<Board> {
    const numeros = [...new Set(names.map((name) => name.replace(/\D/g, '')))].filter(isGuiaNumero);
    const [board, chosen] = await Promise.all([
      this.database.staff.rows<MatchesRow>(boardOf(filter, page, PAGE)),
      this.database.staff.rows<ListedRow>(listByNumber(numeros)),
    ]);
    const { pagina, ...found } = board[0]!;
    const rows = await this.database.staff.rows<ListedRow>(listGuias(pagina));
    const byId = new Map(rows.map((row) => [row.id, row]));
    const byNumber = new Map(chosen.map((row) => [row.guia, row]));
    return {
      ...found,
      guias: pagina.flatMap(({ id }) => byId.get(id) ?? []),
      chosen: numeros.flatMap((numero) => byNumber.get(numero) ?? []),
      unknown: names.filter((name) => !byNumber.has(name.replace(/\D/g, ''))),
    };
  }

  /** The guide of each number, in their order, so that a scan needs no page of its own. */
  async scanned(numeros: readonly string[]): Promise<Scanned[]> {
    const known = numeros.filter(isGuiaNumero);
    const rows = await this.database.staff.rows<ScannedRow>(scannedOf(known));
    const byNumber = new Map(rows.map((row) => [row.guia, row]));
    return numeros.map((guia) => toScanned(guia, byNumber.get(guia)));
  }

  /**
   * Effects of an assignment of all that match, and what is unusual about it; changes nothing.
   * @throws AppError `validacion`; `no_encontrado`, `piloto_inactivo`
   */
  async ask(
    { fields }: Sent<StaffUser>,
    filter: DispatchFilter,
  ): Promise<{ title: string; guias: number; notes: string[] }> {
    const piloto = await this.pilotoOf(fields.piloto);
    if (piloto?.activo === false) throw new AppError('piloto_inactivo');
    const rows = await this.matching(filter);
    const title =
      piloto === null
        ? `Quitar el piloto a ${countOf(rows.length)}`
        : `Asignar ${countOf(rows.length)} a ${piloto.nombre}`;
    return { title, guias: rows.length, notes: await this.unusual(rows, piloto) };
  }

  private async unusual(keys: KeyRow[], piloto: { id: string; nombre: string } | null): Promise<string[]> {
    const rows = await this.database.staff.rows<UnusualRow>(unusualOf(keys, piloto?.id ?? null));
    return unusualIn(rows[0]!, piloto?.nombre);
  }

  /** The driver that a form names; null for nobody. @throws AppError `validacion`, `no_encontrado` */
  private async pilotoOf(named = '') {
    if (named === '') throw new AppError('validacion', { detail: 'Elija a quién asignarlas.' });
    return named === NADIE ? null : this.pilotos.find(named);
  }

  /** Assigns the chosen guides, or all that match; each stands alone. */
  async assign(form: Sent<StaffUser>, filter: DispatchFilter): Promise<Done<undefined>> {
    const { todas } = form.fields;
    const isAll = todas !== undefined;
    const names = valuesIn(form.fields.guias);
    const detalle = isAll ? 'todas las que coinciden' : countOf(names.length);
    return this.audit.perform(form, 'asignar_guias', { detalle }, async () => {
      const piloto = await this.pilotoOf(form.fields.piloto);
      if (isAll || names.length > MAX_WAITED) {
        const rows = isAll ? await this.matching(filter) : await this.named(names);
        if (rows.length > MAX_WAITED) return await this.assignMany(form, piloto, rows);
        if (isAll) return await this.assignTo(piloto, guiasOf(rows), form.by.name);
      }
      const unusual = await this.unusual(await this.named(names), piloto);
      const said = await this.assignTo(piloto, names, form.by.name);
      return typeof said === 'string' ? [said, ...unusual].join(' ') : said;
    });
  }

  /** The numbers of the guides that a form has chosen, or of all that match. @throws AppError `validacion` for none, or too many */
  async chosen({ fields }: Sent<StaffUser>, filter: DispatchFilter, most: number): Promise<string[]> {
    const isAll = fields.todas !== undefined;
    const guias = isAll ? guiasOf(await this.matching(filter)) : valuesIn(fields.guias);
    if (guias.length === 0) throw new AppError('validacion', { detail: 'Elija al menos una guía.' });
    if (guias.length > most)
      throw new AppError('validacion', { detail: `Son ${countOf(guias.length)}: elija hasta ${most}.` });
    return guias.map((guia) => guia.replace(/[\s-]/g, ''));
  }

  async standing(guias: readonly string[]): Promise<ScannedRow[]> {
    return this.database.staff.rows<ScannedRow>(scannedOf(guias.filter(isGuiaNumero)));
  }

  /** One PDF of the chosen guides, or of all that match. @throws AppError `validacion`, `no_encontrado` */
  async labels(form: Sent<StaffUser>, filter: DispatchFilter, deadline: number): Promise<LabelFile> {
    const isAll = form.fields.todas !== undefined;
    const guias = isAll ? guiasOf(await this.matching(filter)) : valuesIn(form.fields.guias);
    checkChosen(guias);
    const subject = { detalle: countOf(guias.length) };
    return this.audit.during(form.by, 'imprimir_etiquetas', subject, async () => [
      await this.etiquetas.many({ isTest: false }, guias, { formato: 'pdf' }, deadline, 'despacho'),
      null,
    ]);
  }

  private async matching(filter: DispatchFilter): Promise<KeyRow[]> {
    return this.database.staff.rows<KeyRow>(findMatches(filter));
  }

  private async named(names: string[]): Promise<KeyRow[]> {
    const numeros = names.map((name) => name.replace(/\D/g, '')).filter(isGuiaNumero);
    return this.database.staff.rows<KeyRow>(keysOf(numeros));
  }

  /** In the background: it goes on if this process ends. */
  private async assignMany(
    form: Sent<StaffUser>,
    piloto: PilotoDto | null,
    guias: KeyRow[],
  ): Promise<string> {
    if (piloto?.activo === false) throw new AppError('piloto_inactivo');
    const asignacion = { id: form.clave!, usuario: form.by.name, pilotoId: piloto?.id ?? null, guias };
    return `${await this.bulk.assign(asignacion)} En Hoy se ve cómo va.`;
  }

  private async assignTo(
    piloto: PilotoDto | null,
    guias: string[],
    usuario: string,
  ): Promise<string | Failed> {
    if (guias.length === 0) throw new AppError('validacion', { detail: 'Elija al menos una guía.' });
    const nombre = piloto?.nombre;
    const operator = { id: '', name: CONSOLE, isTest: false };
    const refused = new Map<string, string[]>();
    let done = 0;
    for (let i = 0; i < guias.length; i += MAX_ASIGNADAS) {
      const chunk = guias.slice(i, i + MAX_ASIGNADAS);
      const results = await this.asignaciones.assign(
        operator,
        { piloto: piloto?.id ?? null, guias: chunk },
        performance.now() + CHUNK_MS,
        { actor: 'soporte', usuario },
      );
      for (const [n, result] of results.entries())
        if (result.ok) done++;
        else refused.set(result.detail, [...(refused.get(result.detail) ?? []), chunk[n]!]);
    }
    const faults = [...refused].map(
      ([detail, those]) => `${those.slice(0, 3).map(inFours).join(', ')}: ${detail}`,
    );
    const said = `${nombre === undefined ? `Sin piloto: ${countOf(done)}.` : `${countOf(done)} para ${nombre}.`}`;
    const not = faults.length === 0 ? '' : ` No se pudo con ${countOf(guias.length - done)}. ${faults[0]!}`;
    return done === 0 ? { failed: not.trim() } : `${said}${not}`.replaceAll('`', '');
  }
}

const guiasOf = (rows: readonly KeyRow[]) => rows.map(({ guia }) => guia);

const countOf = (count: number) => counted(count, 'guía');
