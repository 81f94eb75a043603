import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import type { CountryCode } from 'libphonenumber-js';
import { Config } from '../config/env.js';
import { AppError } from '../errors/app-error.js';
import { COUNTRY, CURRENCY, type WithCountry } from '../validation/country.js';
import { fieldsOf, type DtoClass } from '../validation/dto-fields.js';
import { readInput } from '../validation/read-input.js';
import { EMPTY_BODY } from './json-body.js';

/** Reads `@Body()` and `@Query()` as an instance of the parameter's class, which names their fields and rules. */
@Injectable()
export class InputPipe implements PipeTransform {
  private readonly allowsPrivateUrls: boolean;
  private readonly defaultCountry: CountryCode;

  constructor({ webhookAllowPrivate, defaultCountry }: Config) {
    this.allowsPrivateUrls = webhookAllowPrivate;
    this.defaultCountry = defaultCountry;
  }

  /** @throws AppError `validacion` with every fault of every field; `json_invalido` for an empty body. */
  transform(sent: unknown, { type, metatype }: ArgumentMetadata): unknown {
    // An interceptor may have read the body, such as a CSV file.
    if ((type !== 'body' && type !== 'query') || sent instanceof metatype!) return sent;
    const dto = metatype as DtoClass;
    const merchant = sent as WithCountry | null | undefined;
    const isAbsent = sent === undefined || sent === null || sent === EMPTY_BODY;
    const mayBeAbsent = isAbsent && fieldsOf(dto).isOptionalBody;
    if (sent === EMPTY_BODY && !mayBeAbsent)
      throw new AppError('json_invalido', { detail: 'La solicitud no tiene cuerpo. Envíe un objeto JSON.' });
    return readInput(dto, mayBeAbsent ? {} : sent, {
      country: merchant?.[COUNTRY],
      currency: merchant?.[CURRENCY],
      defaultCountry: this.defaultCountry,
      allowsPrivateUrls: this.allowsPrivateUrls,
    });
  }
}
