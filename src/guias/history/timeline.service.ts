import { Injectable } from '@nestjs/common';
import type { Merchant } from '../../auth/merchants/merchant.js';
import { Secrets } from '../../platform/config/secrets.js';
import { Reads } from '../../platform/database/replicas/reads.js';
import { HISTORY_TIPOS } from '../../platform/events/evento-tipo.js';
import { CSV_ROWS, csvChunks, csvLines } from '../../platform/http/csv-answer.js';
import { Page, type PageOf } from '../../platform/pagination/page.js';
import {
  toEvento,
  toEventosDeSoporte,
  type EventoDeSoporte,
  type EventoDeSoporteRow,
  type EventoDto,
  type EventoRow,
  type ListarEventosDto,
} from '../dto/evento.dto.js';
import { GuiasService } from '../guias.service.js';
import { eventosOfGuia, listAllEventos, listEventos, type EventoOfMerchantRow } from './timeline.queries.js';

@Injectable()
export class TimelineService {
  constructor(
    private readonly reads: Reads,
    private readonly guias: GuiasService,
    private readonly secrets: Secrets,
  ) {}

  /** @throws AppError `no_encontrado`, `cursor_invalido` */
  async page(
    merchant: Merchant,
    idOrGuia: string,
    dto: ListarEventosDto,
  ): Promise<PageOf<'eventos', EventoDto>> {
    const { id } = await this.guias.read(merchant, idOrGuia);
    return this.pageOf({ comercioId: merchant.id, id }, dto, toEvento);
  }

  /** The events of a guide that the caller may see. @throws AppError `cursor_invalido` */
  async pageOf<Shown>(
    { comercioId, id }: { comercioId: string; id: string },
    dto: ListarEventosDto,
    toShown: (row: EventoRow) => Shown,
  ): Promise<PageOf<'eventos', Shown>> {
    const page = new Page(dto, { comercioId, order: 'id', filters: ['eventos', id] }, this.secrets.cursorKey);
    const { rows } = await this.reads.query<EventoRow>(listEventos({ comercioId, id }, page));
    return page.of('eventos', rows, (last) => last, toShown);
  }

  /** The history of all guides of a merchant, guide by guide, as chunks of a CSV file. */
  async csv({ id }: Merchant): Promise<AsyncIterable<string>> {
    const read = async (after?: EventoOfMerchantRow) =>
      (await this.reads.query<EventoOfMerchantRow>(listAllEventos(id, after, CSV_ROWS))).rows;
    return csvChunks(
      read,
      (row) => row,
      (rows, isFirst) => csvLines(rows.filter(isShown).map(toCells), HISTORY_COLUMNS, isFirst),
    );
  }

  async ofGuia(guia: string): Promise<EventoDeSoporte[]> {
    const { rows } = await this.reads.query<EventoDeSoporteRow>(eventosOfGuia(guia));
    return toEventosDeSoporte(rows);
  }
}

const isShown = ({ tipo }: EventoOfMerchantRow) => HISTORY_TIPOS.includes(tipo);

const toCells = (row: EventoOfMerchantRow) => {
  const evento = toEvento(row);
  return { guia: row.guia, ...evento, campos: evento.campos?.join(' ') ?? null };
};

/** The guide's number, and the fields of an event as its merchant reads it. */
const HISTORY_COLUMNS = [
  ...['guia', 'id', 'secuencia', 'tipo', 'actor', 'ocurrido_en', 'dicho_en', 'creado_en', 'estado'],
  ...[
    'estado_anterior',
    'motivo',
    'nota',
    'lat',
    'lng',
    'cod_cobrado',
    'pago',
    'recibio',
    'distancia_m',
    'campos',
  ],
];
