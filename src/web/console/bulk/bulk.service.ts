import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';
import { v5 } from 'uuid';
import { Database } from '../../../platform/database/database.js';
import { isUuid } from '../../../platform/database/row-id.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { counted, grouped } from '../../kit/elements.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import { readNota } from '../read-nota.js';
import { WorkService } from '../../../platform/work/work.service.js';
import type { Sent } from '../../kit/forms/sent-form.js';
import type { StaffUser } from '../admin-access.js';
import type { Accion } from '../audit/acciones.js';
import { groupsOf, rowsOf, type CausaGroup } from '../../../support/causes/causes.queries.js';
import { AuditService } from '../audit/audit.service.js';
import { bulkTitle } from './bulk-page.js';
import { readCausa } from '../causes/causes.service.js';
import { BULK_ACTIONS } from '../../../support/bulk/bulk.work.js';
import {
  askedOf,
  insertAsignacion,
  insertMasiva,
  progressOf,
  reasonsOf,
  recentMasivas,
  type AskedRow,
  type InsertedMasiva,
  type MasivaProgress,
  type MasivaReason,
  type NewAsignacion,
} from '../../../support/bulk/bulk.queries.js';
import { Masiva, MASIVA_ACCIONES, type MasivaAccion } from '../../../support/bulk/masiva.entity.js';

const AUDITED: Record<AccionDeCausa, Accion> = {
  pedir: 'pedir_varias',
  reenviar: 'reenviar_varias',
  anotar: 'anotar_varias',
  atender: 'atender_causa',
};

type AccionDeCausa = Exclude<MasivaAccion, 'asignar'>;
const DE_CAUSA = MASIVA_ACCIONES.filter((name): name is AccionDeCausa => name !== 'asignar');

export interface BulkRequest {
  causa: string;
  /** Id of a merchant; of all by default. */
  comercio: string | undefined;
  accion: string | undefined;
  texto: string | undefined;
  /** Ids of the messages that were selected; all of the cause by default. */
  mensajes?: string[] | undefined;
}

interface Asked extends Pick<AskedRow, 'guias' | 'comercio'> {
  accion: AccionDeCausa;
  notes: string[];
}

@Injectable()
export class BulkService {
  constructor(
    private readonly database: Database,
    @InjectRepository(Masiva) private readonly masivas: Repository<Masiva>,
    private readonly work: WorkService,
    private readonly audit: AuditService,
  ) {}

  /**
   * How many guides an action would be for, and what is unusual about it; changes nothing.
   * @throws AppError `no_encontrado`, `validacion`
   */
  async ask(request: BulkRequest): Promise<Asked> {
    const { causa, mensajes } = request;
    const { comercioId, clase, accion } = readRequest(request);
    const rows = await this.database.staff.rows<AskedRow>(
      askedOf(causa, mensajes, rowsOf(clase, comercioId)),
    );
    const { guias, comercio } = rows[0]!;
    return { accion, guias, comercio, notes: unusualIn(accion, rows[0]!) };
  }

  /** Ends an action that runs; what is done stays done. @returns the id of its row in the audit log. @throws AppError `no_encontrado` */
  async stop(form: Sent<StaffUser>, id: string): Promise<string> {
    const { progress } = await this.find(id);
    return this.audit.record(form, 'detener_varias', { detalle: bulkTitle(progress) }, async () => {
      const ended = { detenida_en: () => 'now()', terminado_en: () => 'now()' };
      const { affected } = await this.masivas.update({ id, terminado_en: IsNull() }, ended);
      if (affected === 1) return 'Quedó detenida: lo que falta no se hace.';
      const { progress: now } = await this.find(id);
      if (now.detenida_en !== null) return 'Ya estaba detenida.';
      throw new AppError('validacion', { detail: 'Ya había terminado.' });
    });
  }

  /**
   * Begins an action on the guides that a cause has now.
   * @returns the id of its row in the audit log, and of the action; of none if it is done already.
   * @throws AppError `no_encontrado`, `formulario_no_vigente`, `validacion`
   */
  async begin(
    form: Sent<StaffUser>,
    request: BulkRequest,
  ): Promise<{ auditId: string; masivaId: string | null }> {
    const { causa } = request;
    const { comercioId, clase, accion } = readRequest(request);
    const subject = { ...(comercioId !== null && { comercioId }), detalle: causa };
    const auditId = await this.audit.record(form, AUDITED[accion], subject, async () => {
      const texto = accion === 'anotar' ? readNota(request.texto) : null;
      const { mensajes } = request;
      if (mensajes?.length === 0) throw new AppError('validacion', { detail: 'Marque al menos un mensaje.' });
      const masiva = { id: form.clave!, accion, causa, comercioId, usuario: form.by.name, texto, mensajes };
      if (accion === 'atender') {
        const { rows } = await this.database.query<CausaGroup>(groupsOf(clase, comercioId));
        for (const { comercio_id: id, pais } of rows.filter(({ clave }) => clave === causa)) {
          const own = { ...masiva, id: v5(id, form.clave!), comercioId: id, zona: timeZoneOf(pais) };
          await this.database.query(insertMasiva(own, rowsOf(clase, id)));
        }
        return 'Atendida: no aparece hasta mañana a las 6:00, o hasta que se sume otra guía.';
      }
      const rows = rowsOf(clase, comercioId);
      const inserted = await this.database.query<InsertedMasiva>(
        insertMasiva({ ...masiva, zona: null }, rows),
      );
      await this.work.enqueue(BULK_ACTIONS, inserted.rows, true);
      return this.underWay(inserted.rows[0], masiva.id);
    });
    return { auditId, masivaId: accion === 'atender' ? null : form.clave! };
  }

  /** Begins the assignment of many guides; none twice for the same id. @returns the answer to the user. */
  async assign(asignacion: NewAsignacion): Promise<string> {
    const { rows } = await this.database.query<InsertedMasiva>(insertAsignacion(asignacion));
    await this.work.enqueue(BULK_ACTIONS, rows, true);
    return this.underWay(rows[0], asignacion.id);
  }

  /** @param inserted undefined where the action was begun before. */
  private async underWay(inserted: InsertedMasiva | undefined, id: string): Promise<string> {
    const guias =
      inserted?.guias ?? (await this.database.query<MasivaProgress>(progressOf(id))).rows[0]?.total ?? 0;
    return `En marcha para ${counted(guias, 'guía')}.`;
  }

  /** How far an action is, and why some guides were not done. @throws AppError `no_encontrado` */
  async find(id: string): Promise<{ progress: MasivaProgress; reasons: MasivaReason[] }> {
    const none = new AppError('no_encontrado', { detail: 'No hay una acción con ese id.' });
    if (!isUuid(id)) throw none;
    const [[progress], reasons] = await Promise.all([
      this.database.staff.rows<MasivaProgress>(progressOf(id)),
      this.database.staff.rows<MasivaReason>(reasonsOf(id)),
    ]);
    if (!progress) throw none;
    return { progress, reasons };
  }

  /** The actions that run, or ended some minutes ago. */
  async recent(): Promise<MasivaProgress[]> {
    return this.database.staff.rows<MasivaProgress>(recentMasivas());
  }
}

/** @throws AppError `no_encontrado`, `validacion` */
function readRequest({ causa, comercio, accion: name }: BulkRequest) {
  const { comercioId, clase } = readCausa(causa, comercio);
  const accion = DE_CAUSA.find((one) => one === name);
  if (accion === undefined || (accion === 'reenviar' && clase !== 'mensajes'))
    throw new AppError('validacion', { detail: 'Con estas guías no se puede hacer eso.' });
  return { comercioId, clase, accion };
}

/** Warnings before an action, as sentences. */
function unusualIn(accion: AccionDeCausa, row: AskedRow): string[] {
  const { comercios, en_ruta, niegan, de_baja } = row;
  const count = (n: number, one: string, many: string) =>
    n > 0 && (n === 1 ? `1 ${one}` : `${grouped(n)} ${many}`);
  const isSent = accion === 'pedir' || accion === 'reenviar';
  return [
    count(comercios > 1 ? comercios : 0, '', 'comercios tienen guías entre estas.'),
    accion === 'atender' &&
      'Nadie las ve en Hoy hasta mañana a las 6:00 de su comercio, o hasta que se sume otra guía.',
    isSent && count(en_ruta, 'ya va en ruta.', 'ya van en ruta.'),
    isSent && count(niegan, 'destinatario dice que no es suyo.', 'destinatarios dicen que no es suyo.'),
    isSent &&
      count(
        de_baja,
        'número pidió no recibir mensajes: no se le escribe.',
        'números pidieron no recibir mensajes: no se les escribe.',
      ),
  ].filter((text) => text !== false);
}
