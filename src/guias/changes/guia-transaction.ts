import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { v7 } from 'uuid';
import type { Run } from '../../platform/database/database.js';
import { isRelayed } from '../../platform/events/evento-tipo.js';
import { recordEventos, type Change, type NewEvento } from '../../platform/events/record-eventos.js';
import { forgetSeen } from '../advertencias-vistas.queries.js';
import type { GuiaEstado } from '../guia/guia-estado.js';
import { findGuia } from '../guias.queries.js';
import type { GuiaDelComercioRow } from '../guia/guia-row.js';
import { indexGuia } from '../search/search-index.queries.js';
import { by, type Author, type GuiaEvento } from './author.js';
import { saveDue } from './guia-cobros.queries.js';
import { assignGuia, updateGuia, type GuiaColumns, type LockedGuia } from './guia-changes.queries.js';

/** Writes to one guide, whose row is locked. */
export class GuiaTransaction {
  /** Whether a recorded event is to be relayed. */
  hasRelayed = false;
  private version: number;
  private estado: GuiaEstado;
  private advertencias: readonly string[];

  constructor(
    private readonly guia: LockedGuia,
    private readonly run: Run,
  ) {
    this.version = guia.version;
    this.estado = guia.estado;
    this.advertencias = guia.advertencias;
  }

  /**
   * Runs a statement after the lock: it sees everything that was committed before. The guide's columns are changed by `write`
   * and `assign`; the one exception is `restoreEstadoEn`.
   */
  query<R extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<R>> {
    return this.run<R>(config);
  }

  /** The guide as it is now, with all columns of the detail. */
  async read(): Promise<GuiaDelComercioRow> {
    const { rows } = await this.run<GuiaDelComercioRow>(findGuia(this.guia.comercio_id, 'id', this.guia.id));
    return rows[0]!;
  }

  /**
   * Writes columns, and records what happened. Each event gets the next version; the event of a new warning gets the
   * last of these. All have the guide's state after them as `datos.estado`. Without columns the guide's `actualizada_en`
   * stays; without events its version still rises.
   * @returns the time of the change, ISO 8601.
   */
  async write(columns: GuiaColumns, eventos: GuiaEvento[]): Promise<string> {
    const key = { comercioId: this.guia.comercio_id, guiaId: this.guia.id };
    const versions = Math.max(eventos.length, 1);
    const warnings = this.warnings(columns);
    this.estado = columns.estado ?? this.estado;
    const cleared = this.advertencias.filter((codigo) => columns.advertencias?.includes(codigo) === false);
    this.advertencias = columns.advertencias ?? this.advertencias;
    const before = this.version;
    this.version += versions;
    const ahora = await this.record(updateGuia(key, columns, versions), [
      ...eventos.map((evento, i) => this.numbered(evento, before + i + 1)),
      ...warnings.map((evento) => this.numbered(evento, this.version)),
    ]);
    if (cleared.length > 0) await this.run(forgetSeen(key, cleared));
    if (columns.cod_amount !== undefined) await this.run(saveDue(key, columns.cod_amount));
    if (columns.destinatario !== undefined) await this.run(indexGuia(key));
    return ahora;
  }

  /** Sets the guide's driver, null for nobody, and records it. Merchants do not see the driver, so the version stays. */
  async assign(pilotoId: string | null, author: Author): Promise<void> {
    const evento = by(author, { tipo: 'guia.asignada', datos: { piloto: pilotoId } });
    await this.record(assignGuia(this.guia, pilotoId), [this.numbered(evento, this.version)]);
  }

  private async record(change: Change, eventos: NewEvento[]): Promise<string> {
    const { rows } = await this.run<{ ahora: string }>(recordEventos(change, eventos));
    this.hasRelayed ||= eventos.some(({ tipo }) => isRelayed(tipo));
    return rows[0]!.ahora;
  }

  private numbered({ id = v7(), ...evento }: GuiaEvento, secuencia: number): NewEvento {
    // The event's own state wins: a late one has the state that was reported.
    const datos = { estado: this.estado, ...evento.datos };
    return { ...evento, id, secuencia, datos };
  }

  private warnings({ advertencias = [] }: GuiaColumns): GuiaEvento[] {
    const found = advertencias.filter((codigo) => !this.advertencias.includes(codigo));
    return found.map((codigo) => ({ tipo: 'guia.advertencia', actor: 'sistema', datos: { codigo } }));
  }
}
