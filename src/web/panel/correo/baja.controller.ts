import { Controller, Get, HttpCode, Param, Post, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CorreosService } from '../../../correos/correos.service.js';
import type { Baja } from '../../../correos/baja-token.js';
import { KIB } from '../../../platform/config/body-limit.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { Public } from '../../../platform/http/public.js';
import { linkPageHeaders } from '../../kit/link-page-headers.js';
import { PageAnswer, PageAnswerInterceptor } from '../../kit/page-answer.js';
import { renderBaja } from './baja-page.js';

const HEADERS = linkPageHeaders({ permissions: 'geolocation=()' });

/** Bytes; mailboxes send one field. */
const MAX_BODY = 4 * KIB;

/** Ends a kind of mail: without a session, since mailboxes do it themselves (RFC 8058), as a form of either type. */
@ApiExcludeController()
@UseInterceptors(PageAnswerInterceptor)
@Controller('panel/correo/baja')
export class BajaController {
  constructor(private readonly correos: CorreosService) {}

  /** Changes nothing: mailboxes fetch links to check them. */
  @Get(':token')
  @Public()
  ask(@Param('token') token: string): PageAnswer {
    return answer(this.find(token), false);
  }

  @Post(':token')
  @Public({ takesForm: true, takesFile: 'archivo', bodyLimit: MAX_BODY })
  @HttpCode(200)
  async end(@Param('token') token: string): Promise<PageAnswer> {
    const baja = this.find(token);
    await this.correos.end(baja);
    return answer(baja, true);
  }

  /** @throws AppError `no_encontrado` */
  private find(token: string): Baja {
    const baja = this.correos.readBaja(token);
    if (!baja)
      throw new AppError('no_encontrado', { detail: 'Este enlace no existe. Cópielo entero del correo.' });
    return baja;
  }
}

const answer = ({ clase }: Baja, isDone: boolean) => new PageAnswer(renderBaja(clase, isDone), HEADERS);
