import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { asIso } from '../../platform/database/text-types.js';
import type { EventoDeSoporte } from '../../guias/dto/evento.dto.js';
import { TimelineService } from '../../guias/history/timeline.service.js';
import type { HistoryEntry } from '../../notifications/messages/message-history.queries.js';
import { MessageHistoryService } from '../../notifications/messages/message-history.service.js';
import { DeliveryLogService, type DeliveryEntry } from '../../webhooks/deliveries/delivery-log.service.js';

/** A guide as support sees it: of its recipient nothing but the end of the phone number. */
interface SupportView {
  guia: string;
  de_prueba: boolean;
  id: string;
  comercio: string;
  external_ref: string | null;
  estado: string;
  direccion_confirmada: boolean;
  advertencias: string[];
  /** Last two digits. */
  telefono_final: string;
  /** ISO 8601. */
  creada_en: string;
}

export interface Story {
  guia: SupportView;
  /** Oldest first. */
  eventos: EventoDeSoporte[];
  /** To its recipient, oldest first. */
  mensajes: HistoryEntry[];
  /** To its merchant's endpoints, oldest first. */
  entregas: DeliveryEntry[];
}

const VIEW = `select g.guia, g.de_prueba, g.id, c.nombre as comercio, g.external_ref, g.estado, g.direccion_confirmada, g.advertencias,
    right(g.telefono, 2) as telefono_final, ${asIso('g.creada_en')} as creada_en
  from guias g join comercios c on c.id = g.comercio_id where g.guia = $1`;

@Injectable()
export class GuiaStoryService {
  constructor(
    private readonly database: Database,
    private readonly timeline: TimelineService,
    private readonly messages: MessageHistoryService,
    private readonly deliveries: DeliveryLogService,
  ) {}

  /** @param numero of the guide. Returns undefined if there is none. */
  async find(numero: string): Promise<Story | undefined> {
    const { rows } = await this.database.staff.query<SupportView>({ text: VIEW, values: [numero] });
    return rows[0] && { guia: rows[0], ...(await this.partsOf(numero)) };
  }

  async partsOf(numero: string): Promise<Omit<Story, 'guia'>> {
    return {
      eventos: await this.timeline.ofGuia(numero),
      mensajes: (await this.messages.listByGuia(numero)) ?? [],
      entregas: await this.deliveries.ofGuia(numero),
    };
  }
}
