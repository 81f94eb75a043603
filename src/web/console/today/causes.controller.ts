import { Controller, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { isUuid } from '../../../platform/database/row-id.js';
import { QueryTexts, type Form } from '../../../platform/http/form-texts.js';
import { SentForm, type Sent } from '../../kit/forms/sent-form.js';
import type { StaffUser } from '../admin-access.js';
import { AuditService } from '../audit/audit.service.js';
import { renderAsk } from '../bulk/ask-page.js';
import { askTitle, renderBulk } from '../bulk/bulk-page.js';
import { BulkService } from '../bulk/bulk.service.js';
import { pageAnswer, seeOther, type PageAnswer } from '../../kit/page-answer.js';
import { CurrentVisitor, Page, PageForm } from '../../kit/page-routes.js';
import { withQuery } from '../../kit/with-query.js';
import { renderCausa, renderFailedMessages, SELECTED } from './causes-page.js';
import { CausesService } from '../causes/causes.service.js';

/** The guides of a cause, and what staff does with all of them. */
@ApiExcludeController()
@Controller('admin')
export class CausesController {
  constructor(
    private readonly causes: CausesService,
    private readonly bulk: BulkService,
    private readonly audit: AuditService,
  ) {}

  @Page({ path: 'mensajes', who: 'staff', need: 'lectura' })
  async showMessages(@CurrentVisitor() user: StaffUser): Promise<string> {
    const [groups, recent] = await Promise.all([this.causes.groupsOf('mensajes'), this.bulk.recent()]);
    return renderFailedMessages({ user, groups, recent });
  }

  @Page({ path: 'causas/:causa', who: 'staff', need: 'lectura' })
  async showCausa(
    @CurrentVisitor() user: StaffUser,
    @Param('causa') causa: string,
    @QueryTexts() { comercio, desde, hecho }: Form,
  ): Promise<string> {
    const [page, recent, outcome] = await Promise.all([
      this.causes.page(causa, comercio, desde),
      this.bulk.recent(),
      this.audit.outcomeOf(hecho, user),
    ]);
    return renderCausa({ user, page, recent, outcome });
  }

  @PageForm({ path: 'causas/:causa', who: 'staff', need: 'soporte' })
  async begin(
    @Param('causa') causa: string,
    @SentForm() form: Sent<StaffUser>,
  ): Promise<PageAnswer | string> {
    const { confirmado, ...fields } = form.fields;
    const { comercio, accion, texto, seleccion } = fields;
    const mensajes = seleccion === undefined ? undefined : selected(form.fields);
    // A note goes to nobody outside, and was typed; with nothing marked there is nothing to ask.
    if (confirmado !== 'si' && accion !== 'anotar' && mensajes?.length !== 0) {
      const asked = await this.bulk.ask({ causa, comercio, accion, texto, mensajes });
      const action = `/admin/causas/${encodeURIComponent(causa)}`;
      return renderAsk({
        user: form.by,
        part: '/admin',
        title: askTitle(asked.accion, asked.guias, asked.comercio),
        guias: asked.guias,
        notes: asked.notes,
        action,
        fields: fields as Record<string, string>,
        back: withQuery(action, { comercio: comercio ?? '' }),
      });
    }
    const { auditId, masivaId } = await this.bulk.begin(form, { causa, comercio, accion, texto, mensajes });
    const outcome = await this.audit.outcomeOf(auditId, form.by);
    // A refusal leads back to where it was typed or marked; what runs has a page of its own.
    if (accion === 'anotar' && outcome?.resultado === 'rechazado') {
      const [page, recent] = await Promise.all([
        this.causes.page(causa, comercio, undefined),
        this.bulk.recent(),
      ]);
      return pageAnswer(await renderCausa({ user: form.by, page, recent, outcome, refused: texto }), 422);
    }
    if (mensajes !== undefined && outcome?.resultado === 'rechazado')
      return seeOther(`/admin/causas/${encodeURIComponent(causa)}?hecho=${auditId}`);
    if (masivaId === null || outcome?.resultado === 'rechazado') return seeOther(`/admin?hecho=${auditId}`);
    return seeOther(`/admin/masivas/${masivaId}`);
  }

  @Page({ path: 'masivas/:id', who: 'staff', need: 'lectura' })
  async showBulk(
    @CurrentVisitor() user: StaffUser,
    @Param('id') id: string,
    @QueryTexts() { hecho }: Form,
  ): Promise<string> {
    const outcome = await this.audit.outcomeOf(hecho, user);
    return renderBulk({ user, outcome, ...(await this.bulk.find(id)) });
  }

  @PageForm({ path: 'masivas/:id/detener', who: 'staff', need: 'soporte' })
  async stopBulk(@Param('id') id: string, @SentForm() form: Sent<StaffUser>): Promise<PageAnswer> {
    return seeOther(`/admin/masivas/${id}?hecho=${await this.bulk.stop(form, id)}`);
  }
}

/** The ids of the messages whose boxes are marked. */
function selected(fields: Form): string[] {
  return Object.keys(fields)
    .filter((name) => name.startsWith(SELECTED))
    .map((name) => name.slice(SELECTED.length))
    .filter(isUuid);
}
