import { Injectable } from '@nestjs/common';
import { AppError } from '../../../platform/errors/app-error.js';
import { parseInstant } from '../../../platform/validation/instant.js';
import { DeliveryLogService } from '../../../webhooks/deliveries/delivery-log.service.js';
import type { EntregaDto, ReenviarDto } from '../../../webhooks/deliveries/entrega.dto.js';
import type { Owner } from '../../../auth/owner.js';
import { WebhooksService } from '../../../webhooks/endpoints/webhooks.service.js';
import { grouped } from '../../kit/elements.js';
import type { Sent } from '../../kit/forms/sent-form.js';
import type { StaffUser } from '../admin-access.js';
import type { Subject } from '../audit/audit.queries.js';
import { AuditService, type Done, type Failed } from '../audit/audit.service.js';
import type { EndpointAccount } from './endpoint-account.js';

/** Earlier than every delivery. */
const BEGINNING = '1970-01-01';

const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** A span of time as the form sends it: local times, like `2026-11-21T15:04`. */
export interface Span {
  desde?: string | undefined;
  hasta?: string | undefined;
  /** Only failed deliveries, or all that are not under way. */
  cuales?: string | undefined;
}

/**
 * Support's actions on the endpoint of a merchant or an operator, by the services of the owner's own requests. Each returns the id of
 * its row in the audit log. @throws AppError `no_encontrado`
 */
@Injectable()
export class EndpointActionsService {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveryLogService,
    private readonly audit: AuditService,
  ) {}

  async test(form: Sent<StaffUser>, account: EndpointAccount, webhookId: string): Promise<string> {
    const subject = await this.subjectOf(account, webhookId);
    return this.audit.record(form, 'probar_endpoint', subject, async () =>
      outcomeOf(await this.deliveries.test(account.owner, webhookId)),
    );
  }

  /** Enables an endpoint and sends all that waits for it or failed. */
  async release(form: Sent<StaffUser>, account: EndpointAccount, webhookId: string): Promise<string> {
    const subject = await this.subjectOf(account, webhookId);
    return this.audit.record(form, 'liberar_endpoint', subject, async () => {
      await this.webhooks.update(account.owner, webhookId, { activo: true });
      // Failed ones first: they are in flight then, and the second call does not send them again.
      const failed = await this.resendAll(account.owner, webhookId, { desde: BEGINNING, estado: 'fallida' });
      const waiting = await this.resendAll(account.owner, webhookId, {
        desde: BEGINNING,
        estado: 'pendiente',
      });
      return `El endpoint está activo. ${onTheWay(failed + waiting, 'que esperaba', 'que esperaban')}`;
    });
  }

  async replay(
    form: Sent<StaffUser>,
    account: EndpointAccount,
    webhookId: string,
    span: Span,
  ): Promise<Done<undefined>> {
    const subject = await this.subjectOf(account, webhookId);
    const period = [span.desde, span.hasta].map((time) => (time ?? '').slice(0, 16) || '…').join(' a ');
    const detalle = [subject.detalle, period].filter(Boolean).join(', ');
    return this.audit.perform(form, 'reenviar_periodo', { ...subject, detalle }, async () => {
      const dto = toRange(span, account.zone);
      const count = await this.resendAll(account.owner, webhookId, dto);
      return onTheWay(count, 'de ese período', 'de ese período');
    });
  }

  /** @throws AppError `no_encontrado` for no endpoint of the account. */
  private async subjectOf({ owner, subject }: EndpointAccount, webhookId: string): Promise<Subject> {
    await this.webhooks.find(owner, webhookId);
    return { ...subject, webhookId };
  }

  private async resendAll(owner: Owner, webhookId: string, range: ReenviarDto): Promise<number> {
    let count = 0;
    let cursor: string | undefined;
    do {
      const sent = await this.deliveries.resend(owner, webhookId, { ...range, ...(cursor && { cursor }) });
      count += sent.reenviadas;
      cursor = sent.siguiente_cursor ?? undefined;
    } while (cursor !== undefined);
    return count;
  }
}

function onTheWay(count: number, one: string, many: string): string {
  if (count === 0) return `No había avisos ${many}.`;
  return count === 1 ? `Va en camino 1 aviso ${one}.` : `Van en camino ${grouped(count)} avisos ${many}.`;
}

/** @throws AppError `validacion` */
function toRange({ desde = '', hasta = '', cuales }: Span, zone: string): ReenviarDto {
  const from = readTime(desde, zone);
  const until = hasta === '' ? undefined : readTime(hasta, zone);
  if (until !== undefined && until < from)
    throw new AppError('validacion', { detail: 'El período termina antes de empezar.' });
  return {
    desde: new Date(from).toISOString(),
    ...(until !== undefined && { hasta: new Date(until).toISOString() }),
    ...(cuales !== 'todas' && { estado: 'fallida' as const }),
  };
}

function readTime(local: string, zone: string): number {
  const time = LOCAL_TIME.test(local) ? parseInstant(local, 'from', zone) : undefined;
  if (time === undefined)
    throw new AppError('validacion', { detail: 'Escriba desde cuándo, con fecha y hora.' });
  return time;
}

function outcomeOf({ estado, causa, ultimo_intento }: EntregaDto): string | Failed {
  if (estado === 'pendiente') return 'La prueba va en camino; el endpoint tarda en responder.';
  const answer = ultimo_intento
    ? ` Respondió ${ultimo_intento.estado_http ?? ultimo_intento.error} en ${ultimo_intento.ms} ms.`
    : '';
  return estado === 'entregada'
    ? `La prueba llegó.${answer}`
    : { failed: `La prueba no llegó. ${causa ?? ''}` };
}
