import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { AppError } from '../errors/app-error.js';
import { TextField } from './fields.js';
import { ValidBatch, ValidBody, ValidOptionalBody, type BatchItem } from './input.decorators.js';

class ItemDto {
  @TextField({ description: '', max: 3, required: true })
  name: string;
}

type Request = { body?: unknown; query?: object; headers?: object };

/** The value that a handler's parameter gets for a request. */
function given(decorator: ParameterDecorator, { body, query = {}, headers = {} }: Request): unknown {
  class Handler {
    handle(_: unknown) {}
  }
  decorator(Handler.prototype, 'handle', 0);
  const [argument] = Object.values(
    Reflect.getMetadata(ROUTE_ARGS_METADATA, Handler, 'handle') as Record<
      string,
      { data: unknown; factory: (data: unknown, context: object) => unknown }
    >,
  );
  const context = { switchToHttp: () => ({ getRequest: () => ({ body, query, headers, server: {} }) }) };
  return argument!.factory(argument!.data, context);
}

const batch = (request: Request) =>
  given(ValidBatch({ field: 'items', type: ItemDto, max: 3 }), request) as BatchItem<ItemDto>[];

/** The code of the error, and of each fault. */
function refusal(run: () => unknown): string[] {
  try {
    run();
    return [];
  } catch (error) {
    const { codigo, errores = [] } = error as AppError;
    return [codigo, ...errores.map((fault) => `${fault.campo}: ${fault.codigo}`)];
  }
}

const JSON_TYPE = { 'content-type': 'application/json' };

describe('ValidBatch', () => {
  it('returns each item, valid or with its faults, in order', () => {
    const items = [{ name: ' a ' }, { name: 'long' }, { nombre: 'b' }];
    expect(batch({ body: { items } })).toEqual([
      { value: { name: 'a' } },
      { errors: [expect.objectContaining({ campo: 'name', codigo: 'demasiado_largo' })] },
      {
        errors: expect.arrayContaining([
          expect.objectContaining({ campo: 'nombre', codigo: 'campo_desconocido' }),
        ]),
      },
    ]);
  });

  it.each([null, 5, 'x', true, [], [[]]])('reports the item %j as a fault of that item alone', (item) => {
    const [bad, good] = batch({ body: { items: [item, { name: 'a' }] } });
    expect(bad).toEqual({ errors: [expect.objectContaining({ campo: 'cuerpo', codigo: 'tipo' })] });
    expect(good).toEqual({ value: { name: 'a' } });
  });

  it.each<[what: string, request: Request, faults: string[]]>([
    ['an empty list', { body: { items: [] } }, ['items: fuera_de_rango']],
    ['one item too many', { body: { items: [1, 2, 3, 4] } }, ['items: fuera_de_rango']],
    ['no list', { body: { items: { length: 1 } } }, ['items: tipo']],
    ['null', { body: { items: null } }, ['items: requerido']],
    ['nothing', { body: {} }, ['items: requerido']],
    [
      'something unknown beside it',
      { body: { items: [1], otro: 1, constructor: 1 } },
      ['otro: campo_desconocido', 'constructor: campo_desconocido'],
    ],
    ['a query parameter', { body: { items: [1] }, query: { x: '1' } }, ['x: campo_desconocido']],
    [
      'all of that',
      { body: { otro: 1 }, query: { x: '1' } },
      ['otro: campo_desconocido', 'x: campo_desconocido', 'items: requerido'],
    ],
    ['a list for a body', { body: [1] }, ['cuerpo: tipo']],
    ['a text for a body', { body: 'items' }, ['cuerpo: tipo']],
    ['no body', {}, ['cuerpo: tipo']],
  ])('refuses %s as a whole', (_, request, faults) => {
    expect(refusal(() => batch(request))).toEqual(['validacion', ...faults]);
  });

  it.each(['item', 'itemss', 'Items', 'itmes'])('suggests the name of its list for %s', (name) => {
    const send = () => batch({ body: { [name]: [1] } });
    expect(refusal(send)).toEqual(['validacion', `${name}: campo_desconocido`, 'items: requerido']);
    expect(send).toThrow(
      expect.objectContaining({
        errores: expect.arrayContaining([
          expect.objectContaining({ mensaje: expect.stringContaining('¿Quiso decir `items`?') }),
        ]),
      }),
    );
  });

  it('accepts 1 item and the maximum', () => {
    expect(
      [1, 3].map((length) => batch({ body: { items: Array(length).fill({ name: 'a' }) } }).length),
    ).toEqual([1, 3]);
  });
});

describe('an empty body', () => {
  const strict: Record<string, ParameterDecorator> = {
    ValidBody: ValidBody(ItemDto),
    ValidBatch: ValidBatch({ field: 'items', type: ItemDto, max: 3 }),
  };

  it.each(Object.keys(strict))('with a JSON content type is refused by %s', (name) => {
    expect(refusal(() => given(strict[name]!, { headers: JSON_TYPE }))).toEqual(['json_invalido']);
  });

  class NothingNeeded {
    @TextField({ description: '', max: 3 })
    name?: string;
  }
  it.each<[what: string, request: Request]>([
    ['is absent', {}],
    ['is absent and called JSON', { headers: JSON_TYPE }],
    ['is null', { body: null, headers: JSON_TYPE }],
    ['has nothing in it', { body: {}, headers: JSON_TYPE }],
  ])('that %s is read as an empty object by ValidOptionalBody', (_, request) => {
    expect(given(ValidOptionalBody(NothingNeeded), request)).toEqual({});
  });

  it('is not required, but a body that is sent is validated', () => {
    const optional = (request: Request) => () => given(ValidOptionalBody(NothingNeeded), request);
    expect(optional({ body: { name: ' a' } })()).toEqual({ name: 'a' });
    expect(refusal(optional({ body: { name: 5 } }))).toEqual(['validacion', 'name: tipo']);
    expect(refusal(optional({ body: [] }))).toEqual(['validacion', 'cuerpo: tipo']);
    expect(refusal(optional({ query: { x: '1' } }))).toEqual(['validacion', 'x: campo_desconocido']);
  });
});
