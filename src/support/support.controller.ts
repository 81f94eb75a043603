import { Controller, Get, Header, Param, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../auth/decorators.js';
import { AppError } from '../errors/app-error.js';
import { isGuiaNumero } from '../guias/create/guia-numero.js';
import { GuiaStoryService } from './guia-story.service.js';
import { renderParkedEventos } from './parked-eventos-page.js';
import { ParkedEventosService } from './parked-eventos.service.js';
import { renderStory } from './story-page.js';

/**
 * The pages beside the board. They need no API key: `protectAdmin` asks for a password, and without board users they
 * do not exist.
 */
@ApiExcludeController()
@Controller('admin')
export class SupportController {
  constructor(
    private readonly stories: GuiaStoryService,
    private readonly parked: ParkedEventosService,
  ) {}

  /** The board's jobs link to it. */
  @Get('guias/:guia')
  @Public()
  @Header('Content-Type', 'text/html; charset=utf-8')
  async showGuia(@Param('guia') guia: string, @Req() request: FastifyRequest): Promise<string> {
    const mayLook = request.adminUser !== undefined && isGuiaNumero(guia);
    const story = mayLook ? await this.stories.find(guia) : undefined;
    if (!story) throw new AppError('no_encontrado', { detail: 'No existe una guía con ese número.' });
    return renderStory(story);
  }

  @Get('eventos')
  @Public()
  @Header('Content-Type', 'text/html; charset=utf-8')
  async listParkedEventos(@Req() request: FastifyRequest): Promise<string> {
    if (request.adminUser === undefined) throw new AppError('no_encontrado');
    return renderParkedEventos(await this.parked.list());
  }
}
