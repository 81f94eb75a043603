import { OkDto } from '../../platform/openapi/answer.dto.js';
import { ApiProperty } from '@nestjs/swagger';
import { OptionalBody } from '../../platform/validation/dto-fields.js';
import {
  BooleanField,
  check,
  field,
  ifText,
  NumberField,
  TextField,
} from '../../platform/validation/fields.js';
import { ChoicesField } from '../../platform/validation/list.fields.js';
import { hasForbiddenCharacter, normalizeText } from '../../platform/validation/text.js';
import { MAX_URL, readWebhookUrl, URL_FAULTS } from './webhook-url.js';
import {
  OPERATOR_EVENTO_MEANINGS,
  OPERATOR_EVENTO_NAMES,
  WEBHOOK_EVENTO_MEANINGS,
  WEBHOOK_EVENTO_NAMES,
  type WebhookEvento,
} from './webhook-evento.js';
import {
  DESACTIVADO_POR,
  DESACTIVADO_POR_CODES,
  type DesactivadoPor,
  type Webhook,
} from './webhook.entity.js';
import { ApiId, ApiTime, ApiTimeOrNull, meaningsOf } from '../../platform/openapi/answer-fields.js';

const MAX_DESCRIPCION = 120;

const URL_TEXT =
  'Dirección que recibe los avisos por POST: https, en la internet pública y con puerto 443 o desde 1024. No se siguen redirecciones.';
const EVENTOS_TEXT = `Qué avisar. ${meaningsOf(WEBHOOK_EVENTO_MEANINGS)}.`;
const OPERATOR_EVENTOS_TEXT = `Qué avisar de las guías reales de todos los comercios. ${meaningsOf(OPERATOR_EVENTO_MEANINGS)}.`;
const EXAMPLE_URL = 'https://tienda.example/avisos';

/** In place of a URL that is refused. */
interface RefusedUrl {
  fault: string;
}

/** The URL in its normal form, or why it is refused. `new URL` would silently drop control characters. */
function readUrl(text: string, allowPrivate: boolean | undefined): string | RefusedUrl {
  const read = readWebhookUrl(hasForbiddenCharacter(text, false) ? '' : text, allowPrivate);
  return 'href' in read ? read.href : read;
}

/** A URL that messages may be sent to. */
function UrlField(required: true | 'when-sent'): PropertyDecorator {
  return field(
    { required, description: URL_TEXT, example: EXAMPLE_URL },
    { type: String, maxLength: MAX_URL },
    ifText((text, { allowsPrivateUrls }) => {
      const url = normalizeText(text);
      return url === undefined ? undefined : readUrl(url, allowsPrivateUrls);
    }),
    check('tipo', (url) => typeof url === 'string' || typeof url === 'object', 'Debe ser un texto.'),
    check('demasiado_largo', (url: RefusedUrl) => url.fault !== URL_FAULTS.tooLong, URL_FAULTS.tooLong),
    check(
      'formato',
      (url) => typeof url === 'string',
      ({ value }) => (value as RefusedUrl).fault,
    ),
  );
}

export class CrearWebhookDto {
  @UrlField(true)
  url: string;

  @ChoicesField({ values: WEBHOOK_EVENTO_NAMES, description: `${EVENTOS_TEXT} Si falta, todos.` })
  eventos?: WebhookEvento[];

  @TextField({ max: MAX_DESCRIPCION, description: 'Para reconocerlo.', example: 'Tienda en línea' })
  descripcion?: string;
}

export class EditarWebhookDto {
  @UrlField('when-sent')
  url?: string;

  @ChoicesField({ values: WEBHOOK_EVENTO_NAMES, description: EVENTOS_TEXT })
  eventos?: WebhookEvento[];

  @TextField({
    max: MAX_DESCRIPCION,
    clearable: true,
    description: 'Para reconocerlo; null la borra.',
    example: 'Tienda en línea',
  })
  descripcion?: string | null;

  @BooleanField({
    description:
      'false: no se le envía nada más; lo que pase en los primeros 30 días queda como entrega `fallida`, y después nada. true: se le envía de nuevo lo que pase, también si se desactivó solo; lo que falló puede reenviarse.',
    example: true,
  })
  activo?: boolean;
}

export class CrearWebhookDeOperacionesDto extends CrearWebhookDto {
  @ChoicesField({ values: OPERATOR_EVENTO_NAMES, description: `${OPERATOR_EVENTOS_TEXT} Si falta, todos.` })
  declare eventos?: WebhookEvento[];
}

export class EditarWebhookDeOperacionesDto extends EditarWebhookDto {
  @ChoicesField({ values: OPERATOR_EVENTO_NAMES, description: OPERATOR_EVENTOS_TEXT })
  declare eventos?: WebhookEvento[];
}

/** h; default and maximum. */
const OVERLAP_H = 24;
const MAX_OVERLAP_H = 168;

@OptionalBody()
export class RotarSecretoDto {
  @NumberField({
    min: 0,
    max: MAX_OVERLAP_H,
    decimals: 0,
    default: OVERLAP_H,
    description:
      'Horas durante las que cada aviso lleva también la firma del secreto anterior, para cambiarlo sin perder ninguno. Con 0 el anterior deja de servir de inmediato.',
    example: OVERLAP_H,
  })
  solapamiento_horas?: number;
}

export function overlapMs({ solapamiento_horas = OVERLAP_H }: RotarSecretoDto): number {
  return solapamiento_horas * 3_600_000;
}

/** @param other whose code does not occur here. */
function ApiDesactivadoPor(other: 'comercio' | 'operador'): PropertyDecorator {
  const codes = DESACTIVADO_POR_CODES.filter((code) => code !== other);
  const meanings = Object.fromEntries(codes.map((code) => [code, DESACTIVADO_POR[code]]));
  return ApiProperty({
    description: `Por qué no recibe. ${meaningsOf(meanings)}.`,
    allOf: [{ type: 'string', enum: codes }],
    nullable: true,
    example: null,
  });
}

export class WebhookDto {
  @ApiId('Identificador.', 'webhook')
  id: string;

  @ApiProperty({ description: 'Dirección que recibe los avisos.', example: EXAMPLE_URL })
  url: string;

  @ApiProperty({ description: EVENTOS_TEXT, enum: WEBHOOK_EVENTO_NAMES, isArray: true })
  eventos: WebhookEvento[];

  @ApiProperty({
    description: 'Para reconocerlo.',
    type: 'string',
    nullable: true,
    maxLength: MAX_DESCRIPCION,
    example: 'Tienda en línea',
  })
  descripcion: string | null;

  @ApiProperty({ description: 'Si recibe avisos.', example: true })
  activo: boolean;

  @ApiTimeOrNull('Desde cuándo no recibe.')
  desactivado_en: string | null;

  @ApiDesactivadoPor('operador')
  desactivado_por: DesactivadoPor | null;

  @ApiTimeOrNull('Desde cuándo falla sin un solo acierto; null si el último aviso llegó.')
  falla_desde: string | null;

  @ApiTimeOrNull('Hasta cuándo cada aviso lleva también la firma del secreto anterior.')
  secreto_anterior_hasta: string | null;

  @ApiTime('Creación, ISO 8601 en UTC.')
  creado_en: string;

  @ApiTime('Último cambio, ISO 8601 en UTC.')
  actualizado_en: string;
}

export class WebhookRespuestaDto extends OkDto {
  @ApiProperty({ description: 'El webhook.' })
  webhook: WebhookDto;
}

export class WebhookConSecretoDto extends WebhookRespuestaDto {
  @ApiProperty({
    description:
      'Secreto con que se firma cada aviso (Standard Webhooks). Guárdelo: no se vuelve a mostrar, solo se puede rotar.',
    pattern: '^whsec_[A-Za-z0-9+/]+=*$',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  })
  secreto: string;
}

export class ListaDeWebhooksDto extends OkDto {
  @ApiProperty({ description: 'Todos, del más antiguo al más reciente.', type: () => [WebhookDto] })
  webhooks: WebhookDto[];
}

export class WebhookDeOperacionesDto extends WebhookDto {
  @ApiProperty({ description: OPERATOR_EVENTOS_TEXT, enum: OPERATOR_EVENTO_NAMES, isArray: true })
  declare eventos: WebhookEvento[];

  @ApiDesactivadoPor('comercio')
  declare desactivado_por: DesactivadoPor | null;
}

export class WebhookDeOperacionesRespuestaDto extends WebhookRespuestaDto {
  @ApiProperty({ description: 'El webhook.' })
  declare webhook: WebhookDeOperacionesDto;
}

export class WebhookDeOperacionesConSecretoDto extends WebhookConSecretoDto {
  @ApiProperty({ description: 'El webhook.' })
  declare webhook: WebhookDeOperacionesDto;
}

export class ListaDeWebhooksDeOperacionesDto extends ListaDeWebhooksDto {
  @ApiProperty({
    description: 'Todos, del más antiguo al más reciente.',
    type: () => [WebhookDeOperacionesDto],
  })
  declare webhooks: WebhookDeOperacionesDto[];
}

export class EliminadoDto extends OkDto {}

export function toWebhook(webhook: Webhook): WebhookDto {
  const iso = (date: Date | null) => date?.toISOString() ?? null;
  const isReplacing = webhook.secreto_anterior_hasta !== null && webhook.secreto_anterior_hasta > new Date();
  return {
    id: webhook.id,
    url: webhook.url,
    eventos: webhook.eventos,
    descripcion: webhook.descripcion,
    activo: webhook.activo,
    desactivado_en: iso(webhook.desactivado_en),
    desactivado_por: webhook.desactivado_por,
    falla_desde: iso(webhook.falla_desde),
    secreto_anterior_hasta: isReplacing ? iso(webhook.secreto_anterior_hasta) : null,
    creado_en: webhook.creado_en.toISOString(),
    actualizado_en: webhook.actualizado_en.toISOString(),
  };
}
