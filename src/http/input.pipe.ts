import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { Config } from '../config/env.js';
import { COUNTRY, type WithCountry } from '../validation/country.js';
import { fieldsOf, type DtoClass } from '../validation/dto-fields.js';
import { readInput } from '../validation/read-input.js';

/** Reads `@Body()` and `@Query()` as an instance of the parameter's class, which names their fields and rules. */
@Injectable()
export class InputPipe implements PipeTransform {
  private readonly allowsPrivateUrls: boolean;

  constructor({ webhookAllowPrivate }: Config) {
    this.allowsPrivateUrls = webhookAllowPrivate;
  }

  /** @throws AppError `validacion` with every fault of every field. */
  transform(sent: unknown, { type, metatype }: ArgumentMetadata): unknown {
    // An interceptor may have read the body, such as a CSV file.
    if ((type !== 'body' && type !== 'query') || sent instanceof metatype!) return sent;
    const dto = metatype as DtoClass;
    const country = (sent as WithCountry | null | undefined)?.[COUNTRY];
    const isAbsent = sent === undefined || sent === null;
    return readInput(dto, isAbsent && fieldsOf(dto).isOptionalBody ? {} : sent, {
      country,
      allowsPrivateUrls: this.allowsPrivateUrls,
    });
  }
}
