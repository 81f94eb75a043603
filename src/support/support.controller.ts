import { Controller, Get, Header, Param, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../auth/decorators.js';
import { AppError } from '../errors/app-error.js';
import { isGuiaNumero } from '../guias/create/guia-numero.js';
import { ApiExcludeController } from '@nestjs/swagger';
import { adminUserOf } from './admin-access.js';
import { GuiaStoryService } from './guia-story.service.js';
import { renderStory } from './story-page.js';

/** The page of a guide, which the board's jobs link to. */
@ApiExcludeController()
@Controller('admin/guias')
export class SupportController {
  constructor(private readonly stories: GuiaStoryService) {}

  /** Needs no API key: `protectAdmin` asks for a password, and without board users the page does not exist. */
  @Get(':guia')
  @Public()
  @Header('Content-Type', 'text/html; charset=utf-8')
  async show(@Param('guia') guia: string, @Req() request: FastifyRequest): Promise<string> {
    const mayLook = adminUserOf(request) !== undefined && isGuiaNumero(guia);
    const story = mayLook ? await this.stories.find(guia) : undefined;
    if (!story) throw new AppError('no_encontrado', { detail: 'No existe una guía con ese número.' });
    return renderStory(story);
  }
}
