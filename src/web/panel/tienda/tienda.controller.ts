import { Controller } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ApiKeysService } from '../../../auth/keys/api-keys.service.js';
import { TrackingLinksService } from '../../../guias/tracking/tracking-links.service.js';
import { Config } from '../../../platform/config/env.js';
import type { Form } from '../../../platform/http/form-texts.js';
import { inspect, validValue } from '../../../platform/validation/read-input.js';
import { CrearWebhookDto } from '../../../webhooks/endpoints/webhook.dto.js';
import type { WebhookEvento } from '../../../webhooks/endpoints/webhook-evento.js';
import { WebhooksService } from '../../../webhooks/endpoints/webhooks.service.js';
import { SentForm, type Sent } from '../../kit/forms/sent-form.js';
import type { PageAnswer } from '../../kit/page-answer.js';
import { CurrentVisitor, Page, PageForm } from '../../kit/page-routes.js';
import { PanelFormsService } from '../forms/panel-forms.service.js';
import { may, scopesToGive, type Visit } from '../visit.js';
import { renderTienda, TIENDAS, type Connection, type TiendaPageProps } from './tienda-page.js';

/** Events that the bridges bring back into the shop. */
const EVENTOS: WebhookEvento[] = ['guia.estado_cambiado', 'guia.cancelada', 'guia.estado_corregido'];

/** Makes what a shop's bridge needs: a key, and an endpoint with its secret. */
@ApiExcludeController()
@Controller('panel/tienda')
export class TiendaController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly webhooks: WebhooksService,
    private readonly links: TrackingLinksService,
    private readonly forms: PanelFormsService,
    private readonly config: Config,
  ) {}

  @Page({ who: 'merchant', need: 'claves' })
  show(@CurrentVisitor() visit: Visit): string {
    return this.render({ visit });
  }

  /** Shows key and secret in its answer, never by a redirect; the same form again shows none. */
  @PageForm({ who: 'merchant', need: 'claves' })
  connect(@SentForm() form: Sent<Visit>): Promise<string | PageAnswer> {
    const { by: visit, fields } = form;
    return this.forms.reveal(
      form,
      () => this.make(visit, fields),
      ({ made, ...shown }) => this.render({ visit, connection: made, ...shown }),
    );
  }

  /** The endpoint first: its address may be refused. @throws AppError `validacion`; `limite_de_webhooks` */
  private async make(visit: Visit, { tienda = '', url = '' }: Form): Promise<Connection> {
    const text = String(url).trim();
    const wanted = { url: text, eventos: EVENTOS, descripcion: `Puente de ${String(tienda)}` };
    const { value, errors } =
      text === ''
        ? { value: undefined, errors: [] }
        : inspect(CrearWebhookDto, wanted, { allowsPrivateUrls: this.config.webhookAllowPrivate });
    const name = TIENDAS.find(([codigo]) => codigo === tienda)?.[1];
    if (name === undefined) errors.push({ campo: 'tienda', codigo: 'formato', mensaje: 'Elija su tienda.' });
    if (text !== '' && !may(visit, 'webhooks')) {
      const mensaje = 'Esta sesión no puede registrar avisos. Déjela vacía, o entre con una clave que pueda.';
      errors.push({ campo: 'url', codigo: 'formato', mensaje });
    }
    const dto = validValue({ value, errors });
    const secreto = dto && (await this.webhooks.create(visit.merchant, dto)).secreto;
    const { id, isTest } = visit.merchant;
    const scopes = scopesToGive(visit).filter((scope) => scope !== 'webhooks');
    const mode = isTest ? 'test' : 'live';
    const { apiKey } = await this.keys.create(
      { comercio_id: id },
      { scopes, label: `Puente de ${name}`, mode },
    );
    return { tienda: String(tienda), apiKey, secreto };
  }

  private render(shown: Omit<TiendaPageProps, 'origin'>): string {
    return renderTienda({ origin: this.links.origin(), ...shown });
  }
}
