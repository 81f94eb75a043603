import {
  applyDecorators,
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  Param,
  Post,
  Query,
  Req,
  StreamableFile,
} from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { CurrentMerchant, CurrentOperator, RequireScope } from '../auth/decorators.js';
import { CostsByItem, itemsIn } from '../auth/request-cost.interceptor.js';
import type { Merchant } from '../auth/merchants/merchant.js';
import type { Operator } from '../auth/operators/operator.js';
import { GUIA_PARAM } from '../guias/dto/guia.param.js';
import { AnswerDeadline } from '../platform/http/answer-limit.js';
import { ApiReadErrors, ApiWriteErrors } from '../platform/openapi/api-errors.decorator.js';
import { NoFields } from '../platform/validation/no-fields.dto.js';
import { ModoDto } from '../platform/validation/modo.dto.js';
import {
  MAX_LABELS,
  PedirEtiquetaDeOperacionesDto,
  PedirEtiquetaDto,
  PedirEtiquetasDto,
} from './etiqueta.dto.js';
import { EtiquetasService, type LabelFile } from './etiquetas.service.js';

const CONTENTS =
  'Lleva el número de guía en grande, en código de barras (Code 128) y en QR; comercio, destinatario, teléfono, municipio, departamento, dirección, referencia (las coordenadas, si no hay ninguna de las dos), notas, contenido, `external_ref` y fecha; y `COBRAR` con el monto, o `SIN COBRO`. La de una guía de prueba dice `PRUEBA – NO ENVIAR` en una franja negra; la de una cancelada, `CANCELADA – NO ENVIAR`. Lo que no cabe termina en `…`; las letras de fuentes decorativas salen como letras comunes, y un texto en HTML, como lo muestra su página; un carácter que no se puede imprimir, como algunos emoji, sale como `□` (en ZPL, `?`).';

const EXAMPLES = {
  pdf: { summary: 'Un PDF', value: { guias: ['483920175567', '100000000008'] } },
  hojas: { summary: 'Hojas A4', value: { guias: ['483920175567', '100000000008'], tamano: 'a4' } },
  zpl: {
    summary: 'Impresora de etiquetas',
    value: { guias: ['483920175567'], formato: 'zpl', tamano: '100x100' },
  },
};

const NotStored = () => Header('Cache-Control', 'private, no-store');

const binary = { schema: { type: 'string', format: 'binary' } } as const;

const ApiLabels = () =>
  ApiResponse({
    status: 200,
    description: 'El documento, en el formato que pide `formato`; `Accept` no lo cambia.',
    headers: {
      'Content-Disposition': {
        description: 'Nombre del archivo; `inline` en un PNG, que se ve en la página.',
        schema: { type: 'string' },
        example: 'attachment; filename="guia-483920175567.pdf"',
      },
    },
    content: {
      'application/pdf': binary,
      'image/png': binary,
      'application/zpl': { schema: { type: 'string' }, example: '^XA^CI28^PW800^LL1200^LH0,0\n…^XZ' },
    },
  });

const AnswersLabel = () =>
  applyDecorators(NotStored(), ApiParam(GUIA_PARAM), ApiLabels(), ApiReadErrors('no_encontrado'));

const AnswersLabels = () =>
  applyDecorators(
    HttpCode(200),
    NotStored(),
    CostsByItem(itemsIn('guias', MAX_LABELS)),
    ApiBody({ type: PedirEtiquetasDto, examples: EXAMPLES }),
    ApiLabels(),
    ApiWriteErrors('no_encontrado'),
  );

/** Whether the client gets the document: Fastify answers HEAD by the handler of GET. */
const isRead = ({ method }: FastifyRequest) => method !== 'HEAD';

@Controller('api/v1')
export class EtiquetasController {
  constructor(private readonly etiquetas: EtiquetasService) {}

  @Get('guias/:id/etiqueta')
  @ApiTags('Guías')
  @RequireScope('guias:leer')
  @ApiOperation({
    operationId: 'imprimirEtiqueta',
    summary: 'Imprimir la etiqueta de una guía',
    description: `La etiqueta que se pega al paquete. ${CONTENTS}`,
  })
  @AnswersLabel()
  async ofMerchant(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @Query() dto: PedirEtiquetaDto,
    @AnswerDeadline() deadline: number,
    @Req() request: FastifyRequest,
  ): Promise<StreamableFile> {
    return toLabelFile(
      await this.etiquetas.one(
        { comercioId: merchant.id },
        id,
        dto,
        deadline,
        isRead(request) ? 'api' : null,
      ),
    );
  }

  @Post('etiquetas')
  @ApiTags('Guías')
  @RequireScope('guias:leer')
  @ApiOperation({
    operationId: 'imprimirEtiquetas',
    summary: 'Imprimir las etiquetas de muchas guías',
    description: `Un solo documento, en el orden pedido; en \`a4\` o \`carta\`, cuatro por hoja. Si falta una guía no se imprime ninguna, y \`errores\` dice cuáles faltan. ${CONTENTS}`,
  })
  @AnswersLabels()
  async batchOfMerchant(
    @CurrentMerchant() merchant: Merchant,
    @Body() dto: PedirEtiquetasDto,
    @Query() _: NoFields,
    @AnswerDeadline() deadline: number,
  ): Promise<StreamableFile> {
    return toLabelFile(
      await this.etiquetas.many({ comercioId: merchant.id }, dto.guias, dto, deadline, 'api'),
    );
  }

  @Get('operaciones/guias/:id/etiqueta')
  @ApiTags('Operaciones')
  @RequireScope('operaciones:leer')
  @ApiOperation({
    operationId: 'imprimirEtiquetaDeOperador',
    summary: 'Imprimir la etiqueta de una guía de cualquier comercio',
    description: `La misma etiqueta que imprime el comercio. ${CONTENTS}`,
  })
  @AnswersLabel()
  async ofAny(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Query() dto: PedirEtiquetaDeOperacionesDto,
    @AnswerDeadline() deadline: number,
    @Req() request: FastifyRequest,
  ): Promise<StreamableFile> {
    return toLabelFile(
      await this.etiquetas.one(operator, id, dto, deadline, isRead(request) ? 'operaciones' : null),
    );
  }

  @Post('operaciones/etiquetas')
  @ApiTags('Operaciones')
  @RequireScope('operaciones:leer')
  @ApiOperation({
    operationId: 'imprimirEtiquetasDeOperador',
    summary: 'Imprimir las etiquetas de muchas guías, de cualquier comercio',
    description: `Un solo documento, en el orden pedido; en \`a4\` o \`carta\`, cuatro por hoja. Si falta una guía no se imprime ninguna, y \`errores\` dice cuáles faltan. ${CONTENTS}`,
  })
  @AnswersLabels()
  async batchOfAny(
    @CurrentOperator() operator: Operator,
    @Body() dto: PedirEtiquetasDto,
    @Query() _: ModoDto,
    @AnswerDeadline() deadline: number,
  ): Promise<StreamableFile> {
    return toLabelFile(await this.etiquetas.many(operator, dto.guias, dto, deadline, 'operaciones'));
  }
}

export function toLabelFile({ bytes, type, name }: LabelFile): StreamableFile {
  return new StreamableFile(bytes, {
    type,
    disposition: `${type === 'image/png' ? 'inline' : 'attachment'}; filename="${name}"`,
    length: bytes.length,
  });
}
