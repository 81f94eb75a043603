import { Injectable } from '@nestjs/common';
import { toEventoDeSoporte, type EventoDeSoporte, type EventoRow } from '../../guias/dto/evento.dto.js';
import { toGuiaRespuesta, type GuiaDelComercioDto } from '../../guias/dto/guia.dto.js';
import type { GuiaDelComercioRow } from '../../guias/guia-row.js';
import { GuiasService } from '../../guias/guias.service.js';
import { TimelineService } from '../../guias/history/timeline.service.js';
import { TrackingLinksService } from '../../guias/tracking/tracking-links.service.js';
import type { Visit } from '../visit.js';

/** Events on the page; a guide has few. */
const MAX_EVENTOS = 100;

/** A guide as its merchant sees it on a page. */
export interface GuiaView {
  guia: GuiaDelComercioDto;
  row: GuiaDelComercioRow;
  /** Oldest first. */
  eventos: EventoDeSoporte[];
}

/** Reads the panel's page of a guide. */
@Injectable()
export class PanelGuiaService {
  constructor(
    private readonly guias: GuiasService,
    private readonly timeline: TimelineService,
    private readonly tracking: TrackingLinksService,
  ) {}

  /** @throws AppError `no_encontrado`, also for another merchant's guide. */
  async load({ merchant }: Visit, idOrGuia: string): Promise<GuiaView> {
    const row = await this.guias.readFromPrimary(merchant, idOrGuia);
    const { eventos } = await this.timeline.pageOf(
      { comercioId: merchant.id, id: row.id },
      { limit: String(MAX_EVENTOS) },
      toEventoDelComercio,
    );
    const { guia } = toGuiaRespuesta(row, merchant.country, this.tracking.linkTo(row));
    return { guia, row, eventos };
  }
}

/** Merchants do not read who of support or of a courier did something. */
function toEventoDelComercio(row: EventoRow): EventoDeSoporte {
  return { ...toEventoDeSoporte({ ...row, operador: null }), usuario: null, piloto: null };
}
