import { ApiProperty, OmitType } from '@nestjs/swagger';
import { isUuid } from '../../platform/database/row-id.js';
import { ListarEventosDto } from '../../guias/dto/evento.dto.js';
import { GuiaDetalleDto, toGuiaDetalle } from '../../guias/dto/guia.dto.js';
import { QueryComercioField } from '../../guias/dto/comercio.fields.js';
import { ListarGuiasDto, toListFilter } from '../../guias/dto/listar-guias.dto.js';
import { MAX } from '../../guias/guia/limits.js';
import { ApiId } from '../../platform/openapi/answer-fields.js';
import { OkDto, PaginaDto } from '../../platform/openapi/answer.dto.js';
import { check } from '../../platform/validation/fields.js';
import { ModoField } from '../../platform/validation/modo.dto.js';
import { QueryField, QueryTextField } from '../../platform/validation/query.fields.js';
import { normalizeName } from '../../platform/validation/text.js';
import { PilotoNombradoDto, toPilotoNombrado } from '../../guias/dto/piloto-nombrado.dto.js';
import { NINGUNO, type OperatorFilter, type OperatorGuiaRow } from './operator-guias.queries.js';

/** The filters of a merchant's list, and those that only make sense over all merchants. */
export class ListarGuiasDeOperacionesDto extends ListarGuiasDto {
  @QueryComercioField('Solo guías del comercio con este `id`.')
  comercio?: string;

  @QueryTextField({
    max: MAX.nombre,
    read: normalizeName,
    description:
      'Solo guías con este departamento de destino; mayúsculas y acentos no cuentan. Ejemplo: `peten`.',
  })
  departamento?: string;

  @QueryTextField({
    max: MAX.nombre,
    read: normalizeName,
    description:
      'Solo guías con este municipio de destino; mayúsculas y acentos no cuentan. Ejemplo: `mixco`.',
  })
  municipio?: string;

  @QueryField(
    {
      description: `Solo guías del piloto con este \`id\`; \`${NINGUNO}\`: solo las que no tienen piloto.`,
    },
    { type: String },
    check(
      'formato',
      (text: string) => text === NINGUNO || isUuid(text),
      `Debe ser el \`id\` de un piloto (UUID), o \`${NINGUNO}\`.`,
    ),
  )
  piloto?: string;

  @ModoField()
  modo?: 'prueba';
}

/** @param country of the merchant that `zona=comercio` means. */
export function toOperatorFilter(
  dto: ListarGuiasDeOperacionesDto,
  isTest: boolean,
  country?: string,
): OperatorFilter {
  const { comercio, departamento, municipio, piloto } = dto;
  // The order of these properties is signed into cursors: append only.
  return { ...toListFilter(dto, country), comercio, departamento, municipio, isTest, piloto };
}

export class ListarEventosDeOperacionesDto extends ListarEventosDto {
  @ModoField()
  modo?: 'prueba';
}

class ComercioDto {
  @ApiId('Identificador del comercio.', 'comercio')
  id: string;

  @ApiProperty({ description: 'Nombre del comercio.', example: 'Zapatos Ana' })
  nombre: string;
}

/** A guide as an operator sees it: where to pick it up, where to bring it, whose it is. */
export class GuiaDeOperacionesDto extends OmitType(GuiaDetalleDto, ['pendientes', 'seguimiento']) {
  @ApiProperty({ description: 'El comercio que envía.' })
  comercio: ComercioDto;

  @ApiProperty({
    description: 'El piloto que la lleva; null si nadie.',
    type: () => PilotoNombradoDto,
    nullable: true,
  })
  piloto: PilotoNombradoDto | null;
}

export class GuiaDeOperacionesRespuestaDto extends OkDto {
  @ApiProperty({ description: 'La guía.' })
  guia: GuiaDeOperacionesDto;
}

export class ListaDeGuiasDeOperacionesDto extends PaginaDto {
  @ApiProperty({
    description:
      'Las guías, de la más reciente a la más antigua; con `actualizada_desde`, de la primera en cambiar a la última.',
    type: () => [GuiaDeOperacionesDto],
  })
  guias: GuiaDeOperacionesDto[];
}

export function toGuiaDeOperaciones(row: Omit<OperatorGuiaRow, 'comercio_pais'>): GuiaDeOperacionesDto {
  const { pendientes: _, ...guia } = toGuiaDetalle(row);
  const comercio = { id: row.comercio, nombre: row.comercio_nombre };
  return { ...guia, comercio, piloto: toPilotoNombrado(row.piloto, row.piloto_nombre) };
}
