import { Controller, Get, HttpCode, Ip, Param, Post, Req, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { BajaHechaDto, ConfirmadaDto, NegadaDto } from '../../confirmations/dto/confirmar.dto.js';
import { Public } from '../../platform/http/public.js';
import { findAsset, type AssetRequest } from '../kit/assets.js';
import { PageAnswerInterceptor, type PageAnswer } from '../kit/page-answer.js';
import { textsFor } from './languages.js';
import { isJson } from './page-request.js';
import { RecipientPageService } from './recipient-page.service.js';

/** The recipient's page: a form for browsers, JSON for programs. */
@ApiExcludeController()
@UseInterceptors(PageAnswerInterceptor)
@Controller('c')
export class PageController {
  constructor(private readonly pages: RecipientPageService) {}

  @Get('assets/:name')
  @Public()
  asset(@Req() request: AssetRequest): Promise<PageAnswer> {
    return findAsset(request.params.name, request);
  }

  /** Changes nothing: messaging apps fetch links to preview them. */
  @Get(':token')
  @Public()
  show(@Param('token') token: string, @Ip() ip: string, @Req() request: FastifyRequest): Promise<PageAnswer> {
    return this.pages.show(token, ip, textsFor(request));
  }

  @Post(':token')
  @Public({ takesForm: true })
  @HttpCode(200)
  async answer(
    @Param('token') token: string,
    @Ip() ip: string,
    @Req() request: FastifyRequest,
  ): Promise<PageAnswer | ConfirmadaDto | NegadaDto | BajaHechaDto> {
    return isJson(request)
      ? this.pages.answerJson(token, ip, request.body)
      : this.pages.answerForm(token, ip, (request.body ?? {}) as Record<string, string>, textsFor(request));
  }
}
