import type { Config } from '../config/env.js';
import { AppError } from '../errors/app-error.js';
import { COUNTRY } from '../validation/country.js';
import { OptionalBody } from '../validation/dto-fields.js';
import { PhoneField, TextField } from '../validation/fields.js';
import { InputPipe } from './input.pipe.js';
import { BatchField } from '../validation/list.fields.js';

class ItemDto {
  @TextField({ description: '', max: 3, required: true })
  name: string;
}

class BatchDto {
  @BatchField(() => ItemDto, { description: '', max: 3 })
  items: unknown[];
}

class PhoneDto {
  @PhoneField({ description: '' })
  phone?: string;
}

@OptionalBody()
class NothingNeededDto {
  @TextField({ description: '', max: 3 })
  name?: string;
}

const pipe = new InputPipe({ webhookAllowPrivate: false } as Config);

// Any class: each test reads the fields of its own.
const read = (metatype: new () => object, sent: unknown, type: 'body' | 'query' = 'body'): any =>
  pipe.transform(sent, { type, metatype });

/** The field, code and text of each fault. */
function faults(metatype: new () => object, sent: unknown): string[] {
  try {
    read(metatype, sent);
    return [];
  } catch (error) {
    return (error as AppError).errores!.map((fault) => `${fault.campo}: ${fault.codigo}`);
  }
}

describe('InputPipe', () => {
  it('reads body and query as their class, and leaves every other parameter as it is', () => {
    expect(read(ItemDto, { name: ' a ' })).toStrictEqual(Object.assign(new ItemDto(), { name: 'a' }));
    expect(read(ItemDto, { name: ' a ' }, 'query')).toEqual({ name: 'a' });
    for (const type of ['param', 'custom'] as const)
      expect(pipe.transform(' a ', { type, metatype: String })).toBe(' a ');
  });

  it('reads a local phone number with the country that the guard has set', () => {
    expect(read(PhoneDto, { phone: '5555 1234', [COUNTRY]: 'GT' })).toEqual({ phone: '+50255551234' });
    expect(faults(PhoneDto, { phone: '5555 1234' })).toEqual(['phone: formato']);
  });

  it('leaves what an interceptor has read already', () => {
    const batch = Object.assign(new BatchDto(), { items: [] });
    expect(read(BatchDto, batch)).toBe(batch);
  });

  it.each([[undefined], [null]])('reads %j as an empty body where the class allows it', (sent) => {
    expect(read(NothingNeededDto, sent)).toStrictEqual(new NothingNeededDto());
    expect(faults(ItemDto, sent)).toEqual(['cuerpo: tipo']);
  });

  it.each([[[]], [5], ['x'], [true], [Buffer.from('x')]])('refuses %j without failing', (sent) => {
    expect(faults(NothingNeededDto, sent).length).toBeGreaterThan(0);
    expect(faults(BatchDto, sent).length).toBeGreaterThan(0);
  });
});

describe('a batch', () => {
  it('keeps its items as they were sent', () => {
    const items = [{ name: ' a ' }, null, [[]]];
    expect(read(BatchDto, { items })).toEqual({ items });
  });

  it.each<[sent: object, expected: string[]]>([
    [{ items: [] }, ['items: fuera_de_rango']],
    [{ items: [1, 2, 3, 4] }, ['items: fuera_de_rango']],
    [{ items: {} }, ['items: tipo']],
    [{ items: null }, ['items: requerido']],
    [{}, ['items: requerido']],
    [{ items: [1], other: 1 }, ['other: campo_desconocido']],
  ])('%j is refused as a whole', (sent, expected) => {
    expect(faults(BatchDto, sent)).toEqual(expected);
  });

  it('that is a bare list is told its form', () => {
    expect(() => read(BatchDto, [{ name: 'a' }])).toThrow(
      expect.objectContaining({
        errores: [
          {
            campo: 'cuerpo',
            codigo: 'tipo',
            mensaje: 'El cuerpo debe ser un objeto JSON con la lista: {"items": […]}.',
          },
        ],
      }),
    );
  });
});
