import { Injectable } from '@nestjs/common';
import type { Merchant } from '../../auth/merchants/merchant.js';
import { Secrets } from '../../platform/config/secrets.js';
import { Database } from '../../platform/database/database.js';
import { LOWEST_ID, msOfId } from '../../platform/database/row-id.js';
import { encodeCursor } from '../../platform/pagination/cursor.js';
import { positionOf } from '../../platform/pagination/page.js';
import { limitOf } from '../../platform/pagination/page.fields.js';
import type { AvisoGuardadoDto, ListarAvisosDto } from './aviso-guardado.dto.js';
import { avisosAfter, beginToKeep, type AvisoRow } from './avisos.queries.js';

/** Shows merchants the messages of their webhooks, also without an endpoint. */
@Injectable()
export class AvisosService {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /** Oldest first; the cursor of the place after them is there even if there are none. @throws AppError `cursor_invalido` */
  async page(
    { id }: Merchant,
    dto: ListarAvisosDto,
  ): Promise<{ avisos: AvisoGuardadoDto[]; siguiente_cursor: string }> {
    const scope = { comercioId: id, order: 'id' as const, filters: ['avisos'] };
    const after = positionOf(dto, scope, this.secrets.cursorKey)?.id ?? LOWEST_ID;
    const limit = limitOf(dto);
    const { rows } = await this.database.query<AvisoRow>(avisosAfter(id, after, limit + 1));
    if (rows[0]?.escucha_desde === null) await this.database.query(beginToKeep(id));
    const shown = wholeMilliseconds(
      rows.filter(({ lugar }) => lugar !== null),
      limit,
    );
    return {
      avisos: shown.toSorted(inOrder).map(toAviso),
      siguiente_cursor: encodeCursor({ id: shown.at(-1)?.lugar ?? after }, scope, this.secrets.cursorKey),
    };
  }
}

/** At most `limit` rows, so that those of one millisecond, which are in no order, stay together where they fit. */
function wholeMilliseconds(rows: AvisoRow[], limit: number): AvisoRow[] {
  if (rows.length <= limit) return rows;
  const next = msOfId(rows[limit]!.lugar!);
  const whole = rows.filter(({ lugar }) => msOfId(lugar!) < next);
  return whole.length > 0 ? whole : rows.slice(0, limit);
}

/** By the time of the event; events of one time by their order in the guide, a warning after the change that it came with. */
function inOrder(a: AvisoRow, b: AvisoRow): number {
  if (a.creado_en !== b.creado_en) return a.creado_en < b.creado_en ? -1 : 1;
  const [first, second] = [a.secuencia ?? 0, b.secuencia ?? 0];
  return first - second || Number(a.tipo === 'guia.advertencia') - Number(b.tipo === 'guia.advertencia');
}

function toAviso({ id, tipo, creado_en, cuerpo }: AvisoRow): AvisoGuardadoDto {
  return { id, tipo, creado_en, cuerpo: JSON.parse(cuerpo) as object };
}
