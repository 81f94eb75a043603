import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AppError, MAX_FAULTS, type FieldError } from '../errors/app-error.js';
import type { InputContext } from './dto-fields.js';
import { ModoDto } from './modo.dto.js';
import { inspect, isPlain, readInput, unknownField, validValue, type Inspected } from './read-input.js';

/** For routes without query parameters. */
export class NoParameters {}

// `auth` declares and sets a request's `credential`; nothing of `auth` is imported.

/** The query of a route that takes a body: none, but for an operator's `modo`. */
const queryTypeOf = ({ credential }: FastifyRequest) => (credential?.operator ? ModoDto : NoParameters);

const requestOf = (context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>();
const contextOf = ({ credential }: FastifyRequest): InputContext => ({
  country: credential?.merchant?.country,
});

/**
 * The body as a valid instance of a DTO class; any query parameter is refused. Replaces Nest's `@Body()`,
 * whose pipes cannot see the merchant's country, which phone numbers are read with.
 */
export const ValidBody = createParamDecorator((type: new () => object, context: ExecutionContext) =>
  readBody(type, context),
);

/** Like `ValidBody`, but a missing body is read as an empty object. */
export const ValidOptionalBody = createParamDecorator((type: new () => object, context: ExecutionContext) =>
  readBody(type, context, {}),
);

/** The body and its faults, for a service that adds faults of its own before it rejects the request. */
export const InspectedBody = createParamDecorator((type: new () => object, context: ExecutionContext) =>
  inspectBody(type, context),
);

/** One item of a batch: a value, or its faults. */
export type BatchItem<T> = { value: T } | { errors: FieldError[] };

/**
 * A body with a single field, a list of 1 to `max` items of class `type`. An invalid item is returned with
 * its faults; the request is refused only if the body does not have that form.
 */
export const ValidBatch = createParamDecorator(
  (batch: { field: string; type: new () => object; max: number }, context: ExecutionContext) => {
    const request = requestOf(context);
    const items = readBatch(batch, request);
    return items.map((item): BatchItem<object> => {
      const { value, errors } = inspect(batch.type, item, contextOf(request));
      return errors.length > 0 ? { errors } : { value: value! };
    });
  },
);

/** The form of a batch: its only field, and how many items that may hold. */
interface BatchForm {
  field: string;
  max: number;
}

/**
 * The items of a batch as they were sent, for a service that inspects them as it goes. A body that is no JSON, a CSV file
 * for example, is returned as its bytes.
 */
export const RawBatch = createParamDecorator(
  (form: BatchForm, context: ExecutionContext): unknown[] | Buffer => {
    const request = requestOf(context);
    if (!Buffer.isBuffer(request.body)) return readBatch(form, request);
    validValue(inspect(NoParameters, request.query, {}));
    return request.body;
  },
);

const Query = createParamDecorator((type: new () => object, context: ExecutionContext) => {
  const request = requestOf(context);
  return readInput(type, request.query, contextOf(request));
});

/** The query as a valid instance of a DTO class, which it also documents. */
export const ValidQuery =
  (type: new () => object): ParameterDecorator =>
  (target, method, index) => {
    ApiQuery({ type })(target, method!, Object.getOwnPropertyDescriptor(target, method!)!);
    Query(type)(target, method, index);
  };

function readBody(type: new () => object, context: ExecutionContext, absent?: object): object {
  return validValue(inspectBody(type, context, absent));
}

function inspectBody(type: new () => object, context: ExecutionContext, absent?: object): Inspected<object> {
  const request = requestOf(context);
  const body = inspect(
    type,
    absent === undefined ? bodyOf(request) : (request.body ?? absent),
    contextOf(request),
  );
  const query = inspect<object>(queryTypeOf(request), request.query, contextOf(request));
  return { ...body, errors: [...body.errors, ...query.errors] };
}

/** The body. @throws AppError `json_invalido` if the request has a content type and no body. */
function bodyOf({ body, headers }: FastifyRequest): unknown {
  if (body === undefined && headers['content-type'] !== undefined)
    throw new AppError('json_invalido', { detail: 'La solicitud no tiene cuerpo. Envíe un objeto JSON.' });
  return body;
}

function readBatch({ field, max }: BatchForm, request: FastifyRequest): unknown[] {
  const body = bodyOf(request);
  const { [field]: items, ...rest } = isPlain(body) ? body : {};
  const errors = [
    ...(isPlain(body) ? unknownBeside(field, rest) : [notABatch(field)]),
    ...inspect<object>(queryTypeOf(request), request.query, {}).errors,
    ...(isPlain(body) ? listFaults(field, items, max) : []),
  ];
  if (errors.length > 0) throw AppError.validation(errors);
  return items as unknown[];
}

function unknownBeside(field: string, rest: object): FieldError[] {
  return Object.keys(rest).map((name, i) => unknownField(name, '', i < MAX_FAULTS ? [field] : []));
}

/** The fault of a list that is sent bare, for example. */
function notABatch(field: string): FieldError {
  return {
    campo: 'cuerpo',
    codigo: 'tipo',
    mensaje: `El cuerpo debe ser un objeto JSON con la lista: {"${field}": […]}.`,
  };
}

function listFaults(campo: string, items: unknown, max: number): FieldError[] {
  if (items === undefined || items === null)
    return [{ campo, codigo: 'requerido', mensaje: 'Es obligatorio.' }];
  if (!Array.isArray(items)) return [{ campo, codigo: 'tipo', mensaje: 'Debe ser una lista.' }];
  if (items.length >= 1 && items.length <= max) return [];
  return [{ campo, codigo: 'fuera_de_rango', mensaje: `Debe tener entre 1 y ${max} elementos.` }];
}
