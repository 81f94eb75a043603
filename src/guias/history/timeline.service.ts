import { Injectable } from '@nestjs/common';
import type { Merchant } from '../../auth/decorators.js';
import { Secrets } from '../../config/secrets.js';
import { decodeCursor, encodeCursor } from '../../pagination/cursor.js';
import { Database } from '../../database/database.js';
import { textTypes } from '../../database/text-types.js';
import { AppError } from '../../errors/app-error.js';
import { limitOf } from '../../pagination/page.fields.js';
import { toEvento, type EventoDto, type EventoRow, type ListarEventosDto } from '../dto/evento.dto.js';
import { GuiasService } from '../guias.service.js';

const COLUMNS =
  'id, secuencia, tipo, actor, creado_en, coalesce(ocurrido_en, creado_en) as ocurrido_en, datos';

/** A guide has few events: they are read by its key and sorted. */
const PAGE = `select ${COLUMNS} from eventos where comercio_id = $1 and guia_id = $2 and secuencia > coalesce(
    (select secuencia from eventos where comercio_id = $1 and guia_id = $2 and id = $3), 0)
  order by secuencia limit $4`;

const ALL = `select ${COLUMNS} from eventos where (comercio_id, guia_id) = (select comercio_id, id from guias where guia = $1)
  order by secuencia`;

export interface PaginaDeEventos {
  eventos: EventoDto[];
  siguiente_cursor: string | null;
}

/** A guide's events, oldest first. */
@Injectable()
export class TimelineService {
  constructor(
    private readonly database: Database,
    private readonly guias: GuiasService,
    private readonly secrets: Secrets,
  ) {}

  /** @throws AppError `no_encontrado`, `cursor_invalido` */
  async page(merchant: Merchant, idOrGuia: string, dto: ListarEventosDto): Promise<PaginaDeEventos> {
    const { id } = await this.guias.detalle(merchant, idOrGuia);
    const scope = { comercioId: merchant.id, order: 'id' as const, filters: ['eventos', id] };
    const after =
      dto.cursor === undefined ? undefined : decodeCursor(dto.cursor, scope, this.secrets.cursorKey);
    if (dto.cursor !== undefined && after === undefined) throw new AppError('cursor_invalido');
    const limit = limitOf(dto);
    const { rows } = await this.database.query<EventoRow>({
      name: 'eventos-page',
      text: PAGE,
      values: [merchant.id, id, after?.id, limit + 1],
      types: textTypes,
    });
    const eventos = rows.slice(0, limit).map(toEvento);
    const last = rows.length > limit ? eventos.at(-1) : undefined;
    return { eventos, siguiente_cursor: last ? encodeCursor(last, scope, this.secrets.cursorKey) : null };
  }

  /** All events of a guide, by its number. For support. */
  async ofGuia(guia: string): Promise<EventoDto[]> {
    const { rows } = await this.database.query<EventoRow>({ text: ALL, values: [guia], types: textTypes });
    return rows.map(toEvento);
  }
}
