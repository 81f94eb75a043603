import { AppError } from '../errors/app-error.js';
import { CursorField, LimitField, limitOf } from './page.fields.js';
import { readInput } from '../validation/read-input.js';

class PageDto {
  @LimitField('Cosas')
  limit?: string;

  @CursorField()
  cursor?: string;
}

const read = (query: unknown) => readInput(PageDto, query, {});

function faults(query: unknown): string[] {
  try {
    read(query);
    return [];
  } catch (error) {
    return (error as AppError).errores!.map(({ campo, codigo }) => `${campo}: ${codigo}`);
  }
}

describe('a page', () => {
  it('has 50 rows by default', () => {
    expect(limitOf(read({}))).toBe(50);
    expect(limitOf(read({ cursor: 'x' }))).toBe(50);
  });

  it.each([1, 2, 50, 99, 100])('may have %d rows', (limit) => {
    expect(limitOf(read({ limit: String(limit) }))).toBe(limit);
  });

  it.each<[limit: unknown, code: string]>([
    ['0', 'fuera_de_rango'],
    ['-1', 'fuera_de_rango'],
    ['101', 'fuera_de_rango'],
    ['9'.repeat(400), 'fuera_de_rango'],
    ['', 'formato'],
    [' 5', 'formato'],
    ['05', 'formato'],
    ['1.5', 'formato'],
    ['1e1', 'formato'],
    ['٥', 'formato'],
    [['1', '2'], 'tipo'],
  ])('is refused with a limit of %j', (limit, code) => {
    expect(faults({ limit })).toEqual([`limit: ${code}`]);
  });

  it('accepts a single cursor and no unknown parameter', () => {
    expect(read({ cursor: 'aB-_' }).cursor).toBe('aB-_');
    expect(faults({ cursor: ['x', 'y'] })).toEqual(['cursor: tipo']);
    expect(faults({ pagina: '2' })).toEqual(['pagina: campo_desconocido']);
  });
});
