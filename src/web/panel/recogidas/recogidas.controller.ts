import { Controller, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Config } from '../../../platform/config/env.js';
import { QueryTexts, type Form } from '../../../platform/http/form-texts.js';
import { SentForm, type Sent } from '../../kit/forms/sent-form.js';
import type { PageAnswer } from '../../kit/page-answer.js';
import { CurrentVisitor, Page, PageForm } from '../../kit/page-routes.js';
import { withQuery } from '../../kit/with-query.js';
import { PanelFormsService, type Refusal } from '../forms/panel-forms.service.js';
import type { Visit } from '../visit.js';
import { RECOGIDAS, renderRecogidas } from './recogidas-page.js';
import { RecogidasService } from './recogidas.service.js';

@ApiExcludeController()
@Controller('panel/recogidas')
export class RecogidasController {
  constructor(
    private readonly recogidas: RecogidasService,
    private readonly forms: PanelFormsService,
    private readonly config: Config,
  ) {}

  /** With `cambiar=<id>` the form is of that point. */
  @Page({ who: 'merchant', need: 'guias:leer' })
  show(@CurrentVisitor() visit: Visit, @QueryTexts() { cambiar, hecho }: Form): Promise<string> {
    return this.render(visit, { cambiar, hecho });
  }

  @PageForm({ who: 'merchant', need: 'guias:escribir' })
  add(@SentForm() form: Sent<Visit>): Promise<PageAnswer> {
    return this.save(form);
  }

  @PageForm({ path: ':id', who: 'merchant', need: 'guias:escribir' })
  change(@Param('id') id: string, @SentForm() form: Sent<Visit>): Promise<PageAnswer> {
    return this.save(form, id);
  }

  @PageForm({ path: ':id/siempre', who: 'merchant', need: 'guias:escribir' })
  use(@Param('id') id: string, @SentForm() form: Sent<Visit>): Promise<PageAnswer> {
    return this.act(form, async () => {
      await this.recogidas.use(form.by.merchant.id, id);
      return 'siempre';
    });
  }

  @PageForm({ path: ':id/quitar', who: 'merchant', need: 'guias:escribir' })
  remove(@Param('id') id: string, @SentForm() form: Sent<Visit>): Promise<PageAnswer> {
    return this.act(form, async () => {
      await this.recogidas.remove(form.by.merchant.id, id);
      return 'quitado';
    });
  }

  private save(form: Sent<Visit>, id?: string): Promise<PageAnswer> {
    const save = async () => {
      const { isFar } = await this.recogidas.save(form.by.merchant, form.fields, id);
      return isFar ? 'lejos' : 'guardado';
    };
    return this.act(form, save, id);
  }

  /** @param act returns the word of what it did. @param cambiar the point whose form is shown again where it is refused. */
  private act(form: Sent<Visit>, act: () => Promise<string>, cambiar?: string): Promise<PageAnswer> {
    return this.forms.submit(
      form,
      async () => withQuery(RECOGIDAS, { hecho: await act() }),
      (refusal) => this.render(form.by, { cambiar, refusal }),
    );
  }

  private async render(
    visit: Visit,
    shown: { cambiar?: string | undefined; hecho?: string | undefined; refusal?: Refusal },
  ): Promise<string> {
    const puntos = await this.recogidas.of(visit.merchant.id);
    return renderRecogidas({ visit, puntos, tiles: this.config.tiles, ...shown });
  }
}
