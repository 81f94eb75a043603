import { Injectable } from '@nestjs/common';
import type { Merchant } from '../../../auth/merchants/merchant.js';
import { mayAct } from '../../../platform/config/board-users.js';
import { Database } from '../../../platform/database/database.js';
import { isUuid } from '../../../platform/database/row-id.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { GuiaConfirmationsService } from '../../../guias/changes/guia-confirmations.service.js';
import { GuiaMovesService } from '../../../guias/changes/guia-moves.service.js';
import { GuiaUndoService } from '../../../guias/changes/guia-undo.service.js';
import { GuiaCobrosService } from '../../../guias/changes/guia-cobros.service.js';
import { CorregirCobroDto } from '../../../guias/dto/corregir-cobro.dto.js';
import { money } from '../../../guias/guia/local-format.js';
import { PAGOS } from '../../../guias/guia/pago.js';
import { typedAmount } from '../../kit/forms/typed-amount.js';
import { DeshacerDto } from '../../../guias/dto/deshacer.dto.js';
import { ESTADOS } from '../../../guias/guia/guia-estado.js';
import { OptOutsService } from '../../../notifications/inbound/opt-outs.service.js';
import type { EditableCampo } from '../../../guias/guia/guia-fields.js';
import { GuiaEditsService } from '../../../guias/changes/guia-edits.service.js';
import { EditarGuiaDto } from '../../../guias/dto/editar-guia.dto.js';
import type { GuiaDetalleRow } from '../../../guias/guia/guia-row.js';
import { GuiasService } from '../../../guias/guias.service.js';
import { LocationRequestsService } from '../../../notifications/requests/location-requests.service.js';
import { MessageRetriesService } from '../../../notifications/sending/message-retries.service.js';
import { OutagesService } from '../../../notifications/sending/outages.service.js';
import { SendOutlookService } from '../../../notifications/sending/send-outlook.service.js';
import { readInput } from '../../../platform/validation/read-input.js';
import { normalizeText } from '../../../platform/validation/text.js';
import { readNota } from '../read-nota.js';
import { DeliveryLogService } from '../../../webhooks/deliveries/delivery-log.service.js';
import type { Sent } from '../../kit/forms/sent-form.js';
import type { StaffUser } from '../admin-access.js';
import { AuditService } from '../audit/audit.service.js';
import { markSeen } from '../../../guias/advertencias-vistas.queries.js';
import type { Accion } from '../audit/acciones.js';
import {
  askedAnew,
  DENIAL_REFUSALS,
  EDIT_REFUSALS,
  ON_ITS_WAY,
  ON_THE_WAY,
  SILENT_MAPS,
  waits,
} from './guia-action-texts.js';
import { settledAsPeopleSay } from './settled-text.js';
import { GuiaOverviewService } from './guia-overview.service.js';
import { insertNota } from '../../../support/guia/guia-notas.queries.js';

/** Fields that are words for the driver. */
export const WORDS = ['direccion', 'referencia', 'notas'] as const satisfies readonly EditableCampo[];

/**
 * Support's actions on a guide, by the services that its merchant's requests and the commands use. Each returns the id
 * of its row in the audit log. @throws AppError `no_encontrado`
 */
@Injectable()
export class GuiaActionsService {
  constructor(
    private readonly database: Database,
    private readonly overviews: GuiaOverviewService,
    private readonly guias: GuiasService,
    private readonly requests: LocationRequestsService,
    private readonly confirmations: GuiaConfirmationsService,
    private readonly moves: GuiaMovesService,
    private readonly undos: GuiaUndoService,
    private readonly cobros: GuiaCobrosService,
    private readonly optOuts: OptOutsService,
    private readonly edits: GuiaEditsService,
    private readonly outlooks: SendOutlookService,
    private readonly outages: OutagesService,
    private readonly retries: MessageRetriesService,
    private readonly deliveries: DeliveryLogService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Logs that somebody sees the phone.
   * @throws AppError `formulario_no_vigente` for a form that was sent before: each look has a row of its own.
   */
  async viewPhone(form: Sent<StaffUser>, guia: string): Promise<void> {
    let isLogged = false;
    await this.act(form, 'ver_telefono', guia, () => {
      isLogged = true;
      return Promise.resolve('Se mostró el teléfono.');
    });
    if (!isLogged)
      throw new AppError('formulario_no_vigente', {
        detail:
          'Ese formulario ya se usó, y el teléfono no se muestra otra vez sin registrarlo. Vuelva a la guía y pídalo desde ahí.',
      });
  }

  async resendMessage(form: Sent<StaffUser>, guia: string): Promise<string> {
    return this.act(form, 'reenviar_mensaje', guia, async (merchant) => {
      if ((await this.requests.ask(guia, { comercioId: merchant.id }, byStaff(form.by))) === undefined)
        throw new AppError('mensaje_no_permitido', {
          detail: 'Ya hay un mensaje por salir; no se envió otro.',
        });
      if (merchant.isTest) return ON_ITS_WAY;
      const { telefono } = await this.guias.readFromPrimary(merchant, guia);
      const { pausa } = await this.outlooks.of(telefono);
      return pausa ? waits(pausa) : ON_ITS_WAY;
    });
  }

  /** Sends a message that waits without waiting for its time, also while its provider is out, or one that failed again. */
  async sendNow(form: Sent<StaffUser>, guia: string, mensajeId: string): Promise<string> {
    return this.act(form, 'enviar_ahora', guia, async (merchant) => {
      const { id } = await this.guias.readFromPrimary(merchant, guia);
      const isSent =
        isUuid(mensajeId) &&
        ((await this.outages.sendNow(id, mensajeId)) || (await this.retries.retry(mensajeId, id)));
      return isSent ? ON_ITS_WAY : 'Ese mensaje ya no espera; su estado aparece abajo.';
    });
  }

  /**
   * Takes back the last move of an operator; the history says that it was support.
   * `visto` of the form is the `secuencia` of the last change on the page: what somebody took back or recorded since is not
   * taken back. A settled amount is taken back with `ajustar` alone, which dispatchers may.
   */
  async undo(form: Sent<StaffUser>, guia: string): Promise<string> {
    const { motivo = '', visto, ajustar } = form.fields;
    if (ajustar !== undefined && !mayAct(form.by, 'despacho')) throw new AppError('sin_permiso');
    return this.act(form, 'deshacer', guia, async (merchant) => {
      const dto = readInput(DeshacerDto, { motivo }, {});
      const author = byStaff(form.by);
      const deshacer = {
        ...dto,
        ajustar: ajustar === 'si',
        visto: visto === undefined ? undefined : Number(visto),
      };
      const { estado } = await this.undos
        .undo(author, { comercioId: merchant.id }, guia, deshacer)
        .catch((error: unknown) => {
          throw settledAsPeopleSay(error);
        });
      return `Quedó deshecho: la guía está otra vez en «${ESTADOS[estado].name}».`;
    });
  }

  /**
   * Corrects what was collected, and how; the history says that it was support. `visto` of the form is the amount whose adjustment
   * the page told: of another one it is told first.
   */
  async correctCobro(form: Sent<StaffUser>, guia: string): Promise<string> {
    return this.act(form, 'corregir_cobro', guia, async ({ id, currency, country }) => {
      const { pago, nota, ajustar, visto } = form.fields;
      // Of what was paid to the merchant the form's amount is the one before.
      const cod_cobrado = pago === 'directo' ? undefined : typedAmount(form.fields.cod_cobrado);
      const isTold = ajustar === 'si' && (visto === undefined || Number(visto) === (cod_cobrado ?? 0));
      const dto = readInput(
        CorregirCobroDto,
        { cod_cobrado, pago, nota, ajustar: isTold },
        { currency, country },
      );
      const done = await this.cobros
        .correct(byStaff(form.by), { comercioId: id }, guia, dto)
        .catch((error: unknown) => {
          throw settledAsPeopleSay(error);
        });
      if (done.pago === 'directo') return 'Quedó corregido: se pagó directo al comercio.';
      const how = done.pago === null ? '' : `, ${PAGOS[done.pago]}`;
      return `Quedó corregido: se cobró ${money(done.cod_cobrado, currency, country)}${how}.`;
    });
  }

  /** Does what a courier reported and was not applied. @param evento id of the recorded event. */
  async apply(form: Sent<StaffUser>, guia: string, evento = ''): Promise<string> {
    return this.act(form, 'aplicar', guia, async (merchant) => {
      const estado = await this.moves.apply(byStaff(form.by), { comercioId: merchant.id }, guia, evento);
      return `Quedó aplicado: la guía está en «${ESTADOS[estado].name}».`;
    });
  }

  /** Records that the parcel is not of whoever has this phone, as the recipient's own answer does. */
  async deny(form: Sent<StaffUser>, guia: string): Promise<string> {
    return this.act(form, 'anotar_niega', guia, async (merchant) => {
      const { id, telefono_secuencia } = await this.guias.readFromPrimary(merchant, guia);
      const answered = { comercioId: merchant.id, guiaId: id, telefonoSecuencia: telefono_secuencia };
      const outcome = await this.confirmations.deny(answered, byStaff(form.by));
      return outcome === 'denied'
        ? 'Quedó anotado: el comercio recibe un aviso, y a este número no se le pregunta más por esta guía.'
        : DENIAL_REFUSALS[outcome];
    });
  }

  async optOut(form: Sent<StaffUser>, guia: string): Promise<string> {
    return this.act(form, 'dar_de_baja', guia, async (merchant) => {
      const { telefono } = await this.guias.readFromPrimary(merchant, guia);
      await this.optOuts.optOut({ telefono, usuario: null }, 'soporte');
      return 'Quedó anotado: a este número no se le escribe más.';
    });
  }

  /** Ends the opt-out of the guide's phone. Sends nothing by itself. */
  async optIn(form: Sent<StaffUser>, guia: string): Promise<string> {
    return this.act(form, 'quitar_baja', guia, async (merchant) => {
      const { telefono } = await this.guias.readFromPrimary(merchant, guia);
      await this.optOuts.optIn({ telefono, usuario: null });
      return 'Quedó anotado: a este número se le vuelve a escribir. Lo que no salió no se envía solo.';
    });
  }

  /** Changes the phone by the merchant's rules; the history says that it was support. */
  async correctPhone(form: Sent<StaffUser>, guia: string): Promise<string> {
    const { telefono = '' } = form.fields;
    return this.act(form, 'corregir_telefono', guia, async (merchant) => {
      const dto = readInput(
        EditarGuiaDto,
        { telefono: normalizeText(telefono) },
        { country: merchant.country },
      );
      if (dto.telefono === undefined) throw new AppError('validacion', { detail: 'Escriba el teléfono.' });
      const before = await this.guias.readFromPrimary(merchant, guia);
      // Before the message is made, which counts as one of its phone's.
      const outlook = merchant.isTest ? undefined : await this.outlooks.of(dto.telefono);
      const after = await this.edit(merchant, guia, dto, form.by);
      if (after.telefono === before.telefono) return 'La guía ya tenía ese teléfono.';
      if (after.direccion_confirmada) return 'El teléfono quedó corregido.';
      const asked = after.estado === 'en_ruta' ? ON_THE_WAY : askedAnew(outlook);
      return `El teléfono quedó corregido, y el enlace anterior ya no sirve. ${asked}`;
    });
  }

  /** Changes the destination by the merchant's rules, which confirms it; the history says that it was support. */
  async correctDestination(form: Sent<StaffUser>, guia: string): Promise<string> {
    return this.act(form, 'corregir_destino', guia, async (merchant) => {
      const place = { maps_url: normalizeText(form.fields.lugar ?? '') };
      const dto = readInput(EditarGuiaDto, place, { country: merchant.country });
      if (typeof dto.maps_url !== 'string')
        throw new AppError('validacion', { detail: 'Pegue el enlace de mapa, o las coordenadas.' });
      const before = await this.guias.readFromPrimary(merchant, guia);
      const after = await this.edit(merchant, guia, dto, form.by);
      if (after.version === before.version) return 'La guía ya tenía ese destino.';
      const done = `El destino quedó corregido${before.direccion_confirmada ? '' : ', y la dirección, confirmada'}`;
      if (after.enlaces_pendientes.includes('destino')) return `${done}. ${SILENT_MAPS}`;
      return after.destino_lat === null ? `${done}; el enlace nombra un lugar, sin coordenadas.` : `${done}.`;
    });
  }

  /**
   * Changes what the driver reads, by the merchant's rules. Of each of `WORDS` the text that the form began with is in
   * `antes_…`: what was left as it was does not undo what somebody else changed since.
   */
  async correctWords(form: Sent<StaffUser>, guia: string): Promise<string> {
    return this.act(form, 'corregir_palabras', guia, async (merchant) => {
      const text = (name: string) => normalizeText(form.fields[name] ?? '') ?? null;
      const changed = WORDS.filter((campo) => campo in form.fields && text(campo) !== text(`antes_${campo}`));
      if (changed.length === 0) return 'No cambió nada.';
      const input = Object.fromEntries(changed.map((campo) => [campo, text(campo)]));
      await this.edit(
        merchant,
        guia,
        readInput(EditarGuiaDto, input, { country: merchant.country }),
        form.by,
      );
      return 'Quedó guardado: el mensajero lo ve en un minuto.';
    });
  }

  private async act(
    form: Sent<StaffUser>,
    accion: Accion,
    guia: string,
    act: (merchant: Merchant) => Promise<string>,
  ): Promise<string> {
    const merchant = await this.overviews.merchantOf(guia);
    return this.audit.record(form, accion, { guia, comercioId: merchant.id }, () => act(merchant));
  }

  /** Edits by the merchant's rules. @throws AppError which says in support's words why not. */
  private async edit(
    merchant: Merchant,
    guia: string,
    dto: EditarGuiaDto,
    user: StaffUser,
  ): Promise<GuiaDetalleRow> {
    try {
      return await this.edits.edit(merchant, guia, dto, undefined, byStaff(user));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const detail = EDIT_REFUSALS[error.codigo];
      if (detail === undefined) throw error;
      // A refusal, which is the outcome of the action; as a failure it would have no text.
      const codigo = error.codigo === 'no_disponible' ? 'guia_no_modificable' : error.codigo;
      throw new AppError(codigo, { detail, cause: error });
    }
  }

  async writeNote(form: Sent<StaffUser>, guia: string): Promise<string> {
    return this.act(form, 'escribir_nota', guia, async () => {
      const text = readNota(form.fields.texto);
      await this.database.query(insertNota(form.clave!, guia, form.by.name, text));
      await this.confirmations.settleByNote(guia);
      return 'La nota quedó escrita.';
    });
  }

  /** Takes a warning of a guide out of support's first page, until it comes back. */
  async seeWarning(form: Sent<StaffUser>, guia: string, codigo = ''): Promise<string> {
    return this.act(form, 'ver_advertencia', guia, async ({ id }) => {
      await this.database.query(markSeen(id, guia, 'soporte', codigo));
      return 'La advertencia ya no está en Hoy. Si vuelve a aparecer, vuelve ahí.';
    });
  }

  /** Sends a delivery again, in whatever state it is. */
  async resendDelivery(
    form: Sent<StaffUser>,
    guia: string,
    webhookId: string,
    entregaId: string,
  ): Promise<string> {
    const { merchant } = await this.overviews.delivery(guia, webhookId, entregaId);
    const about = { guia, comercioId: merchant.id, webhookId, detalle: `aviso ${entregaId}` };
    return this.audit.record(form, 'reintentar_entrega', about, async () => {
      try {
        await this.deliveries.resend(merchant, webhookId, { entrega: entregaId });
      } catch (error) {
        if (!(error instanceof AppError) || error.codigo !== 'webhook_desactivado') throw error;
        throw new AppError('webhook_desactivado', {
          detail:
            'El endpoint está desactivado. Actívelo en la página del comercio: eso envía todo lo que espera.',
          cause: error,
        });
      }
      return 'El aviso va en camino otra vez.';
    });
  }
}

/** Whom the guide's history names. */
const byStaff = ({ name }: StaffUser) => ({ actor: 'soporte' as const, usuario: name });
