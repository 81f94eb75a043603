import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** What `X-Request-Id` looks like. */
export const REQUEST_ID_EXAMPLE = 'k3v9x1-2s';

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

/** What only the answer to a repetition has: `true`. */
export const ApiRepetition = (description: string): PropertyDecorator =>
  ApiPropertyOptional({ description, enum: [true], type: Boolean });

/** A guide's number. */
export const ApiGuiaNumero = (): PropertyDecorator =>
  ApiProperty({ description: 'Número de guía.', example: '483920175567' });

/** The id of a row. */
export const ApiId = (description: string, example?: string): PropertyDecorator =>
  ApiProperty({ description, format: 'uuid', example });
