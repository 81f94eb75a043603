import { Injectable } from '@nestjs/common';
import { bucketOfAddress, RateLimiter } from '../../auth/rate-limiter.js';
import { Config } from '../../platform/config/env.js';
import { AppError } from '../../platform/errors/app-error.js';
import { headersOf } from '../../platform/errors/problem.filter.js';
import { readInput } from '../../platform/validation/read-input.js';
import { placeChanged } from '../../confirmations/answer-errors.js';
import {
  ConfirmationsService,
  noSuchLink,
  type RecipientGuia,
  type RecipientLink,
} from '../../confirmations/confirmations.service.js';
import {
  ConfirmarDto,
  fromForm,
  isDenial,
  isLandmarkAlone,
  isNonReceipt,
  isOptOut,
  NoEscribirDto,
  NegarDto,
  NoRecibiDto,
  type BajaHechaDto,
  type ConfirmadaDto,
  type NegadaDto,
} from '../../confirmations/dto/confirmar.dto.js';
import { OptOutsService } from '../../notifications/inbound/opt-outs.service.js';
import { renderConfirmationPage } from './confirmation-page.js';
import { PageAnswer } from '../kit/page-answer.js';
import { isChanged, isClosed, isCorrectable, toPageError } from './page-error.js';
import { pageHeaders } from './page-headers.js';
import type { PageModel } from './page-model.js';
import { placeQuestion } from './place-question.js';
import type { PageTexts } from './texts.js';

/** The fields of a posted form. */
type Form = Record<string, string>;

/** Per minute: unknown links of an address; answers to a link. */
const PER_MINUTE = 30;

@Injectable()
export class RecipientPageService {
  private readonly tiles: PageModel['tiles'];
  private readonly hasChat: boolean;
  private readonly headers: Record<string, string>;
  /** Phones share their carrier's addresses, so a valid link never counts against one. */
  private readonly misses = new RateLimiter(PER_MINUTE);
  private readonly answers = new RateLimiter(PER_MINUTE);

  constructor(
    private readonly confirmations: ConfirmationsService,
    private readonly optOuts: OptOutsService,
    { tiles, messagingProvider }: Config,
  ) {
    this.tiles = tiles;
    this.hasChat = messagingProvider === 'whatsapp';
    this.headers = pageHeaders(tiles);
  }

  /** @throws AppError `no_encontrado`, `demasiadas_solicitudes` */
  async show(token: string, ip: string, texts: PageTexts): Promise<PageAnswer> {
    const { guia } = await this.find(token, ip);
    return this.render(texts, guia);
  }

  /** @throws AppError as `show`, and as `ConfirmationsService.confirm` and `deny` */
  async answerJson(
    token: string,
    ip: string,
    body: unknown,
  ): Promise<ConfirmadaDto | NegadaDto | BajaHechaDto> {
    const link = await this.admit(token, ip);
    const answered = { ok: true, guia: link.row.guia } as const;
    if (isOptOut(body)) {
      await this.optOut(link, body);
      return { ...answered, baja: true };
    }
    if (isDenial(body)) {
      await this.deny(link, body);
      return { ...answered, advertencia: 'destinatario_niega' };
    }
    if (isNonReceipt(body)) {
      await this.report(link, body);
      return { ...answered, advertencia: 'destinatario_no_recibio' };
    }
    const isKnown = await this.confirmations.confirm(link, readAnswer(link, body));
    return { ...answered, direccion_confirmada: isKnown, corregible_hasta: null };
  }

  /** Answers what the recipient can correct with the page and the fields as they were typed. @throws AppError as `show` */
  async answerForm(token: string, ip: string, form: Form, texts: PageTexts): Promise<PageAnswer> {
    const link = await this.admit(token, ip);
    const { guia } = link;
    const question = guia.takesAnswers && !isOptOut(form) ? placeQuestion(form, guia, texts) : undefined;
    if (question) return this.render(texts, guia, { error: question, posted: form }, 400);
    try {
      await this.act(link, form);
      return this.render(texts, await this.confirmations.again(link));
    } catch (error) {
      if (!isCorrectable(error)) throw error;
      const shown = isClosed(error) || isChanged(error) ? (await this.find(token, ip)).guia : guia;
      const isReport = isDenial(form) || isNonReceipt(form) || isOptOut(form);
      const posted = { error: toPageError(error, texts, isReport, form), posted: form };
      return this.render(texts, shown, posted, error.status, headersOf(error));
    }
  }

  /** @throws AppError `no_encontrado`; `demasiadas_solicitudes` once an address has guessed too often. */
  private async find(sent: string, ip: string): Promise<RecipientLink> {
    // Some apps take into a link what the message has behind it: a full stop, a bracket, the asterisk of bold text.
    const [token] = /^[\w-]*/.exec(sent)!;
    const link = await this.confirmations.find(token);
    if (link) return link;
    await this.misses.count(bucketOfAddress(ip));
    throw noSuchLink();
  }

  private async admit(token: string, ip: string): Promise<RecipientLink> {
    const link = await this.find(token, ip);
    // Of links that exist alone: invented ones would fill the memory.
    await this.answers.count(link.token);
    return link;
  }

  /**
   * A saved landmark, which the form showed, is removed where it was emptied. Without another place the saved one stays,
   * and a note that comes with the saved landmark alone changes neither.
   */
  private async confirmForm(link: RecipientLink, form: Form): Promise<void> {
    const { destino, referencia, version } = link.guia;
    const fields = fromForm(form);
    const hasPlace = ['lat', 'lng', 'maps_url'].some((name) => (form[name] ?? '').trim() !== '');
    const landmark = form.referencia?.replace(/\r\n?/g, '\n').trim();
    const isSameLandmark = landmark === undefined || landmark === referencia;
    const isNoteAlone = (form.nota ?? '').trim() !== '' && isSameLandmark;
    if (destino && !hasPlace && !isNoteAlone) {
      if (fields.version !== undefined && fields.version !== version)
        throw placeChanged({ ...destino, version }, {});
      Object.assign(fields, destino);
    }
    const answer = readInput(ConfirmarDto, fields, {});
    if (referencia && form.referencia?.trim() === '') answer.referencia = '';
    await this.confirmations.confirm(link, answer);
  }

  private act(link: RecipientLink, form: Form): Promise<void> {
    if (isDenial(form)) return this.deny(link, form);
    if (isOptOut(form)) return this.optOut(link, form);
    return isNonReceipt(form) ? this.report(link, form) : this.confirmForm(link, form);
  }

  private report(link: RecipientLink, body: unknown): Promise<void> {
    const { texto } = readInput(NoRecibiDto, body, {});
    return this.confirmations.reportNonReceipt(link, texto);
  }

  /** @throws AppError `validacion`; `guia_no_modificable` for a test guide, whose number may be somebody's */
  private async optOut({ row }: RecipientLink, body: unknown): Promise<void> {
    readInput(NoEscribirDto, body, {});
    if (row.de_prueba)
      throw new AppError('guia_no_modificable', { detail: 'Es una guía de prueba: no se escribe a nadie.' });
    await this.optOuts.optOut({ telefono: row.telefono, usuario: null }, 'pagina');
  }

  private deny(link: RecipientLink, body: unknown): Promise<void> {
    readInput(NegarDto, body, {});
    return this.confirmations.deny(link);
  }

  private render(
    texts: PageTexts,
    guia: RecipientGuia,
    posted?: Pick<PageModel, 'error' | 'posted'>,
    status?: number,
    headers?: Record<string, string>,
  ): PageAnswer {
    const { tiles, hasChat } = this;
    const page = renderConfirmationPage({
      texts,
      error: null,
      posted: {},
      tiles,
      hasChat,
      ...guia,
      ...posted,
    });
    return new PageAnswer(page, { ...this.headers, ...headers }, status);
  }
}

/** A landmark alone is that of the known place, which stays, whatever it is by now. @throws AppError `validacion` */
function readAnswer(link: RecipientLink, body: unknown): ConfirmarDto {
  const destino = isLandmarkAlone(body) ? link.guia.destino : null;
  if (destino === null) return readInput(ConfirmarDto, body, {});
  const { referencia, version } = readInput(ConfirmarDto, { ...(body as object), ...destino }, {});
  return { referencia, version };
}
