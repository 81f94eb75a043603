import { Injectable } from '@nestjs/common';
import type { Merchant } from '../../../auth/merchants/merchant.js';
import { Database } from '../../../platform/database/database.js';
import { isUuid } from '../../../platform/database/row-id.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { GuiaConfirmationsService } from '../../../guias/changes/guia-confirmations.service.js';
import { OptOutsService } from '../../../notifications/inbound/opt-outs.service.js';
import { GuiasService } from '../../../guias/guias.service.js';
import { LocationRequestsService } from '../../../notifications/requests/location-requests.service.js';
import { MessageRetriesService } from '../../../notifications/sending/message-retries.service.js';
import { OutagesService } from '../../../notifications/sending/outages.service.js';
import { SendOutlookService } from '../../../notifications/sending/send-outlook.service.js';
import { readNota } from '../read-nota.js';
import { DeliveryLogService } from '../../../webhooks/deliveries/delivery-log.service.js';
import type { Sent } from '../../kit/forms/sent-form.js';
import type { StaffUser } from '../admin-access.js';
import { markSeen } from '../../../guias/advertencias-vistas.queries.js';
import { DENIAL_REFUSALS, ON_ITS_WAY, waits } from './guia-action-texts.js';
import { GuiaOverviewService } from './guia-overview.service.js';
import { insertNota } from '../../../support/guia/guia-notas.queries.js';
import { byStaff, GuiaAuditService } from './guia-audit.service.js';

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
    private readonly optOuts: OptOutsService,
    private readonly outlooks: SendOutlookService,
    private readonly outages: OutagesService,
    private readonly retries: MessageRetriesService,
    private readonly deliveries: DeliveryLogService,
    private readonly audit: GuiaAuditService,
  ) {}

  /**
   * Logs that somebody sees the phone.
   * @throws AppError `formulario_no_vigente` for a form that was sent before: each look has a row of its own.
   */
  async viewPhone(form: Sent<StaffUser>, guia: string): Promise<void> {
    let isLogged = false;
    await this.audit.act(form, 'ver_telefono', guia, () => {
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
    return this.audit.act(form, 'reenviar_mensaje', guia, async (merchant) => {
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
    return this.audit.act(form, 'enviar_ahora', guia, async (merchant) => {
      const { id } = await this.guias.readFromPrimary(merchant, guia);
      const isSent =
        isUuid(mensajeId) &&
        ((await this.outages.sendNow(id, mensajeId)) || (await this.retries.retry(mensajeId, id)));
      return isSent ? ON_ITS_WAY : 'Ese mensaje ya no espera; su estado aparece abajo.';
    });
  }

  /** Records that the parcel is not of whoever has this phone, as the recipient's own answer does. */
  async deny(form: Sent<StaffUser>, guia: string): Promise<string> {
    return this.audit.act(form, 'anotar_niega', guia, async (merchant) => {
      const { id, telefono_secuencia } = await this.guias.readFromPrimary(merchant, guia);
      const answered = { comercioId: merchant.id, guiaId: id, telefonoSecuencia: telefono_secuencia };
      const outcome = await this.confirmations.deny(answered, byStaff(form.by));
      return outcome === 'denied'
        ? 'Quedó anotado: el comercio recibe un aviso, y a este número no se le pregunta más por esta guía.'
        : DENIAL_REFUSALS[outcome];
    });
  }

  async optOut(form: Sent<StaffUser>, guia: string): Promise<string> {
    return this.audit.act(form, 'dar_de_baja', guia, async (merchant) => {
      const { telefono } = await this.guias.readFromPrimary(merchant, guia);
      await this.optOuts.optOut({ telefono, usuario: null }, 'soporte');
      return 'Quedó anotado: a este número no se le escribe más.';
    });
  }

  /** Ends the opt-out of the guide's phone. Sends nothing by itself. */
  async optIn(form: Sent<StaffUser>, guia: string): Promise<string> {
    return this.audit.act(form, 'quitar_baja', guia, async (merchant) => {
      const { telefono } = await this.guias.readFromPrimary(merchant, guia);
      await this.optOuts.optIn({ telefono, usuario: null });
      return 'Quedó anotado: a este número se le vuelve a escribir. Lo que no salió no se envía solo.';
    });
  }

  async writeNote(form: Sent<StaffUser>, guia: string): Promise<string> {
    return this.audit.act(form, 'escribir_nota', guia, async () => {
      const text = readNota(form.fields.texto);
      await this.database.query(insertNota(form.clave!, guia, form.by.name, text));
      await this.confirmations.settleByNote(guia);
      return 'La nota quedó escrita.';
    });
  }

  /** Takes a warning of a guide out of support's first page, until it comes back. */
  async seeWarning(form: Sent<StaffUser>, guia: string, codigo = ''): Promise<string> {
    return this.audit.act(form, 'ver_advertencia', guia, async ({ id }) => {
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
    await this.overviews.delivery(guia, webhookId, entregaId);
    const resend = async (merchant: Merchant) => {
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
    };
    const about = { webhookId, detalle: `aviso ${entregaId}` };
    return this.audit.act(form, 'reintentar_entrega', guia, resend, about);
  }
}
