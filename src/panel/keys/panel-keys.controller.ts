import { Controller, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { NewKey } from '../../auth/keys/api-keys.service.js';
import type { PageAnswer } from '../../html/page-answer.js';
import type { Form } from '../../http/form-texts.js';
import { PanelFormsService, refusalOf } from '../forms/panel-forms.service.js';
import { pageAnswer, PanelGet, PanelPost } from '../panel-routes.js';
import { CurrentVisit, PanelQuery, SentFields, type Visit } from '../visit.js';
import { renderKeys } from './keys-page.js';
import { PanelKeysService } from './panel-keys.service.js';

const ENDED = 'La clave deja de funcionar en 5 segundos.';

/** The merchant's keys, for sessions whose key may make keys. */
@ApiExcludeController()
@Controller('panel/claves')
export class PanelKeysController {
  constructor(
    private readonly keys: PanelKeysService,
    private readonly forms: PanelFormsService,
  ) {}

  @PanelGet('', 'claves')
  async list(@CurrentVisit() visit: Visit, @PanelQuery() { hecho }: Form): Promise<PageAnswer> {
    return this.page(visit, { ...(hecho === 'terminada' && { notice: { text: ENDED } }) });
  }

  /** Shows the key in its answer, never by a redirect; the same form again shows none. */
  @PanelPost('', 'claves', { formList: 'alcances' })
  async make(@CurrentVisit() visit: Visit, @SentFields() fields: Form): Promise<PageAnswer> {
    let newKey: NewKey | undefined;
    try {
      const { isRepeat } = await this.forms.once(visit, fields.clave, async () => {
        newKey = await this.keys.make(visit, fields);
        return '/panel/claves';
      });
      const text = 'Esa clave ya se hizo, y no se muestra otra vez. Si no la copió, termínela y haga otra.';
      return await this.page(visit, { newKey, ...(isRepeat && { notice: { text } }) });
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      return this.page(visit, { refused: { ...refusal, fields } }, 422);
    }
  }

  @PanelPost(':id/terminar', 'claves')
  end(
    @CurrentVisit() visit: Visit,
    @Param('id') id: string,
    @SentFields() fields: Form,
  ): Promise<PageAnswer> {
    return this.forms.submit(
      visit,
      fields,
      async () => {
        await this.keys.end(visit, id);
        return '/panel/claves?hecho=terminada';
      },
      ({ notice }) => this.page(visit, { notice: { text: notice, isBad: true } }, 422),
    );
  }

  private async page(
    visit: Visit,
    shown: Omit<Parameters<typeof renderKeys>[0], 'visit' | 'keys'>,
    status = 200,
  ): Promise<PageAnswer> {
    return pageAnswer(renderKeys({ visit, keys: await this.keys.list(visit), ...shown }), status);
  }
}
