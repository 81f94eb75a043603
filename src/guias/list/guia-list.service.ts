import { Injectable } from '@nestjs/common';
import type { Merchant } from '../../auth/decorators.js';
import { Secrets } from '../../config/secrets.js';
import { decodeCursor, encodeCursor, type CursorScope } from '../../pagination/cursor.js';
import { Database } from '../../database/database.js';
import { AppError } from '../../errors/app-error.js';
import { toPageFilter, type ListarGuiasDto } from '../dto/listar-guias.dto.js';
import { listGuias, toGuiaRow, type ListFilter } from './guia-list.queries.js';
import type { GuiaRow } from '../guias.queries.js';

export interface Pagina {
  guias: GuiaRow[];
  siguiente_cursor: string | null;
}

/** The merchants' lists of guides, page by page. */
@Injectable()
export class GuiaListService {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /** @throws AppError `cursor_invalido` */
  async listar(merchant: Merchant, dto: ListarGuiasDto): Promise<Pagina> {
    const { limit, ...filter } = toPageFilter(dto);
    const scope = scopeOf(merchant.id, filter);
    const { cursorKey } = this.secrets;
    const after = dto.cursor === undefined ? undefined : decodeCursor(dto.cursor, scope, cursorKey);
    if (dto.cursor !== undefined && after === undefined) throw new AppError('cursor_invalido');
    const query = listGuias(merchant.id, filter, { after, rows: limit + 1 });
    const guias = await this.database.rows(query, toGuiaRow);
    if (guias.length <= limit) return { guias, siguiente_cursor: null };
    guias.pop();
    const { id, actualizada_en } = guias.at(-1)!;
    const last = { id, ms: Date.parse(actualizada_en) };
    return { guias, siguiente_cursor: encodeCursor(last, scope, cursorKey) };
  }
}

/** Filters that came later stand by name behind the first three: cursors made before them stay valid. */
function scopeOf(comercioId: string, { estado, from, before, ...named }: ListFilter): CursorScope {
  const used = Object.entries(named).filter(([, value]) => value !== undefined);
  return {
    comercioId,
    order: named.actualizada_desde === undefined ? 'id' : 'time',
    filters: [estado, from, before, ...used],
  };
}
