import { Inject, Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import { AppError } from '../../platform/errors/app-error.js';
import { ASK_REFUSALS } from '../../guias/changes/ask-again.js';
import { TrackingLinksService } from '../../guias/tracking/tracking-links.service.js';
import { messageText } from '../messages/message-text.js';
import { PROVIDER, type MessagingProvider } from '../providers/messaging-provider.js';
import { SendOutlookService } from './send-outlook.service.js';

/** In place of what a guide has. Its link leads to the page that says that a link does not exist. */
const SAMPLE = { guia: '0000 0000 0000', comercio: 'Mensaje de prueba', nombre: '', token: 'prueba' };

/** Sends somebody a message as recipients get it, to see whether it arrives. Nothing of it is stored. */
@Injectable()
export class SampleMessageService {
  constructor(
    @Inject(PROVIDER) private readonly provider: MessagingProvider,
    private readonly links: TrackingLinksService,
    private readonly outlooks: SendOutlookService,
  ) {}

  /** @param telefono E.164. @throws SendError, or AppError `mensaje_no_permitido` for somebody who opted out */
  async send(telefono: string): Promise<void> {
    if ((await this.outlooks.of(telefono)).de_baja)
      throw new AppError('mensaje_no_permitido', { detail: ASK_REFUSALS.baja.detail });
    const { token, ...subject } = SAMPLE;
    const enlace = `${this.links.origin()}/c/${token}`;
    const tipo = 'confirmacion_ubicacion';
    await this.provider.send({
      ...{ id: v7(), intentos: 0, tipo, telefono, usuario: null, token, enlace, pin: null, opciones: [] },
      ...subject,
      texto: messageText(tipo, { ...subject, enlace }),
    });
  }
}
