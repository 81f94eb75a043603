import { Controller, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { NewKey } from '../../../auth/keys/api-keys.service.js';
import { SentForm, type Sent } from '../../kit/forms/sent-form.js';
import type { PageAnswer } from '../../kit/page-answer.js';
import { CurrentVisitor, Page, PageForm } from '../../kit/page-routes.js';
import { pageIn, QueryTexts, type Form } from '../../../http/form-texts.js';
import { answerForm, PanelFormsService } from '../forms/panel-forms.service.js';
import type { Visit } from '../visit.js';
import { renderKeys, type KeysPageProps } from './keys-page.js';
import { PanelKeysService } from './panel-keys.service.js';

const ENDED = 'La clave deja de funcionar en 5 segundos.';
const REPEATED = 'Esa clave ya se hizo, y no se muestra otra vez. Si no la copió, termínela y haga otra.';

/** The merchant's keys, for sessions whose key may make keys. */
@ApiExcludeController()
@Controller('panel/claves')
export class PanelKeysController {
  constructor(
    private readonly keys: PanelKeysService,
    private readonly forms: PanelFormsService,
  ) {}

  @Page({ who: 'merchant', need: 'claves' })
  async list(@CurrentVisitor() visit: Visit, @QueryTexts() query: Form): Promise<string> {
    const done = query.hecho === 'terminada' ? ENDED : undefined;
    return this.render(visit, { done, page: pageIn(query) });
  }

  /** Shows the key in its answer, never by a redirect; the same form again shows none. */
  @PageForm({ who: 'merchant', need: 'claves' }, { formList: 'alcances' })
  make(@SentForm() form: Sent<Visit>): Promise<string | PageAnswer> {
    const { by: visit, fields } = form;
    const make = async () => {
      let newKey: NewKey | undefined;
      await this.forms.once(form, async () => {
        newKey = await this.keys.make(visit, fields);
        return '/panel/claves';
      });
      return this.render(visit, { newKey, done: newKey ? undefined : REPEATED });
    };
    return answerForm(form, make, (refusal) => this.render(visit, { refusal, isMaking: true }));
  }

  @PageForm({ path: ':id/terminar', who: 'merchant', need: 'claves' })
  end(@Param('id') id: string, @SentForm() form: Sent<Visit>): Promise<PageAnswer> {
    const { by: visit } = form;
    return this.forms.submit(
      form,
      async () => {
        await this.keys.end(visit, id);
        return '/panel/claves?hecho=terminada';
      },
      (refusal) => this.render(visit, { refusal }),
    );
  }

  private async render(visit: Visit, shown: Omit<KeysPageProps, 'visit' | 'keys'>): Promise<string> {
    return renderKeys({ visit, keys: await this.keys.list(visit), ...shown });
  }
}
