import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export const REQUEST_ID_EXAMPLE = 'k3v9x1-2s';

/** Ids of examples: each kind of row has its own. */
export const ID_EXAMPLES = {
  guia: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57',
  comercio: '01a1f9c4-52b0-7a61-8e0f-93d47c15ab20',
  evento: '01a1fea3-1f90-7c2d-a6b8-05e97d3f4c81',
  liquidacion: '01a1fe09-0d14-7104-84ef-54713d38e9d6',
  ajuste: '01a1fe07-5c2b-7a90-b6d4-0f83e15c7a42',
  movimientoDeSaldo: '01a1ff31-2d60-7c18-93ea-6b7f0d4e8c25',
  webhook: '01a1fb71-e6d8-7b94-b2c3-6a18f05d7e92',
  entrega: '01a1fe0b-77c2-7e15-9d3b-2f4a6c8e0b13',
  mensaje: '01a1fea2-d0a7-7d48-8f51-c7b20e9a6134',
  piloto: '01a1fa17-4c3e-7d25-9b80-1e6f7a2c5d94',
  entregaDeCaja: '01a1ff20-8e14-7b63-a5d9-3c0f92d87b41',
  simulacion: '01a1fea5-3b6c-7f07-9a2e-48d1c5f7b036',
} as const;

/** Codes and what each means, for a description. */
export const meaningsOf = (codes: Record<string, string>, separator = '. '): string =>
  Object.entries(codes)
    .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
    .join(separator);

/** A time of an answer, ISO 8601. */
export const ApiTime = (description: string, example = '2026-11-21T15:04:05.123Z'): PropertyDecorator =>
  ApiProperty({ description, format: 'date-time', example });

/** A time of an answer that may be null. */
export const ApiTimeOrNull = (description: string, example: string | null = null): PropertyDecorator =>
  ApiProperty({ description, type: String, format: 'date-time', nullable: true, example });

/** `true` in the answer to a repeated request; absent in any other. */
export const ApiRepetition = (description: string): PropertyDecorator =>
  ApiPropertyOptional({ description, enum: [true], type: Boolean });

export const ApiGuiaNumero = (): PropertyDecorator =>
  ApiProperty({ description: 'Número de guía.', example: '483920175567' });

export const ApiId = (description: string, kind: keyof typeof ID_EXAMPLES): PropertyDecorator =>
  ApiProperty({ description, format: 'uuid', example: ID_EXAMPLES[kind] });

/** The parameter of a path that is the id of a row, for `@ApiParam`. */
export const uuidParam = (name: string, description: string) => ({
  name,
  description,
  schema: { type: 'string' as const, format: 'uuid' },
});
