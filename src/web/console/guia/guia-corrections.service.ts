import { Injectable } from '@nestjs/common';
import type { Merchant } from '../../../auth/merchants/merchant.js';
import { mayAct } from '../../../platform/config/board-users.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { GuiaMovesService } from '../../../guias/changes/guia-moves.service.js';
import { GuiaUndoService } from '../../../guias/changes/guia-undo.service.js';
import { GuiaCobrosService } from '../../../guias/changes/guia-cobros.service.js';
import { CorregirCobroDto } from '../../../guias/dto/corregir-cobro.dto.js';
import { money } from '../../../guias/guia/local-format.js';
import { PAGOS } from '../../../guias/guia/pago.js';
import { typedAmount } from '../../kit/forms/typed-amount.js';
import { DeshacerDto } from '../../../guias/dto/deshacer.dto.js';
import { ESTADOS } from '../../../guias/guia/guia-estado.js';
import type { EditableCampo } from '../../../guias/guia/guia-fields.js';
import { GuiaEditsService } from '../../../guias/changes/guia-edits.service.js';
import { EditarGuiaDto } from '../../../guias/dto/editar-guia.dto.js';
import type { GuiaDetalleRow } from '../../../guias/guia/guia-row.js';
import { GuiasService } from '../../../guias/guias.service.js';
import { SendOutlookService } from '../../../notifications/sending/send-outlook.service.js';
import { readInput } from '../../../platform/validation/read-input.js';
import { normalizeText } from '../../../platform/validation/text.js';
import type { Sent } from '../../kit/forms/sent-form.js';
import type { StaffUser } from '../admin-access.js';
import { askedAnew, EDIT_REFUSALS, ON_THE_WAY, SILENT_MAPS } from './guia-action-texts.js';
import { settledAsPeopleSay } from './settled-text.js';
import { byStaff, GuiaAuditService } from './guia-audit.service.js';

export const WORDS = ['direccion', 'referencia', 'notas'] as const satisfies readonly EditableCampo[];

const numberIn = (field: string | undefined) => (field === undefined ? undefined : Number(field));

/** Support's corrections of a guide and its moves, as the actions of `GuiaActionsService`. */
@Injectable()
export class GuiaCorrectionsService {
  constructor(
    private readonly guias: GuiasService,
    private readonly edits: GuiaEditsService,
    private readonly moves: GuiaMovesService,
    private readonly undos: GuiaUndoService,
    private readonly cobros: GuiaCobrosService,
    private readonly outlooks: SendOutlookService,
    private readonly audit: GuiaAuditService,
  ) {}

  /**
   * Takes back the last move of an operator; the history says that it was support.
   * `visto` of the form is the `secuencia` of the last change on the page: what somebody took back or recorded since is not
   * taken back. A settled amount is taken back with `ajustar` alone, which dispatchers may, if it is still `cod_visto`.
   */
  async undo(form: Sent<StaffUser>, guia: string): Promise<string> {
    const { motivo = '', visto, ajustar, cod_visto } = form.fields;
    if (ajustar !== undefined && !mayAct(form.by, 'despacho')) throw new AppError('sin_permiso');
    return this.audit.act(form, 'deshacer', guia, async (merchant) => {
      const dto = readInput(DeshacerDto, { motivo }, {});
      const author = byStaff(form.by);
      const deshacer = {
        ...dto,
        ajustar: ajustar === 'si',
        cod_visto: numberIn(cod_visto),
        visto: numberIn(visto),
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
   * Corrects what was collected, and how; the history says that it was support. The page told the adjustment from `cod_visto` to
   * `visto`: of other amounts it is told first.
   */
  async correctCobro(form: Sent<StaffUser>, guia: string): Promise<string> {
    return this.audit.act(form, 'corregir_cobro', guia, async ({ id, currency, country }) => {
      const { pago, nota, ajustar, visto, cod_visto } = form.fields;
      // Of what was paid to the merchant the form's amount is the one before.
      const cod_cobrado = pago === 'directo' ? undefined : typedAmount(form.fields.cod_cobrado);
      const isTold = ajustar === 'si' && (visto === undefined || Number(visto) === (cod_cobrado ?? 0));
      const dto = readInput(
        CorregirCobroDto,
        { cod_cobrado, pago, nota, ajustar: isTold },
        { currency, country },
      );
      const done = await this.cobros
        .correct(byStaff(form.by), { comercioId: id }, guia, { ...dto, cod_visto: numberIn(cod_visto) })
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
    return this.audit.act(form, 'aplicar', guia, async (merchant) => {
      const estado = await this.moves.apply(byStaff(form.by), { comercioId: merchant.id }, guia, evento);
      return `Quedó aplicado: la guía está en «${ESTADOS[estado].name}».`;
    });
  }

  /** Changes the phone by the merchant's rules; the history says that it was support. */
  async correctPhone(form: Sent<StaffUser>, guia: string): Promise<string> {
    const { telefono = '' } = form.fields;
    return this.audit.act(form, 'corregir_telefono', guia, async (merchant) => {
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
    return this.audit.act(form, 'corregir_destino', guia, async (merchant) => {
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
    return this.audit.act(form, 'corregir_palabras', guia, async (merchant) => {
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
}
