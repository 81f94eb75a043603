import { IsOptional, MaxLength } from 'class-validator';
import { fieldsOf } from './dto-fields.js';
import { check, field, NumberField, ObjectField, TextField } from './fields.js';

const even = check('formato', (value) => (value as number) % 2 === 0, 'Debe ser par.');
const said = { description: 'x' };

class Inner {
  @TextField({ max: 1, description: 'x' })
  text?: string;
}
class Base {
  @NumberField({ min: 0, max: 9, ...said }, even)
  number?: number;

  @ObjectField(() => Inner, { required: true, ...said })
  inner: Inner;
}
class Derived extends Base {
  @TextField({ max: 1, ...said })
  own?: string;

  @NumberField({ min: 0, max: 9, required: true, ...said })
  declare number: number;
}

const rulesOf = (type: new () => object) =>
  [...fieldsOf(type).byName.values()].map(({ name, rules, rulesOnAbsence }) => [
    name,
    rules.length,
    rulesOnAbsence.length,
  ]);

describe('fieldsOf', () => {
  it('collects rules in order, including those that apply on absence', () => {
    expect(rulesOf(Base)).toEqual([
      ['number', 3, 0],
      ['inner', 2, 1],
    ]);
  });

  it('lists inherited fields first, as the document does, and lets a redeclared field override', () => {
    expect(rulesOf(Derived)).toEqual([
      ['inner', 2, 1],
      ['own', 3, 0],
      ['number', 3, 1],
    ]);
    expect(rulesOf(Base)[0]).toEqual(['number', 3, 0]);
    expect(rulesOf(class extends Derived {})).toEqual(rulesOf(Derived));
  });

  it('collects the fields of a nested object', () => {
    expect(fieldsOf(Base).byName.get('inner')?.nested).toBe(fieldsOf(Inner));
  });

  it('collects the fields of a class once', () => {
    expect(fieldsOf(Derived)).toBe(fieldsOf(Derived));
  });

  it('accepts a class without fields', () => {
    expect(fieldsOf(class {}).byName.size).toBe(0);
  });

  it('refuses a class with rules of class-validator alone', () => {
    class Foreign {
      @TextField({ max: 5, ...said })
      @MaxLength(3)
      text?: string;
    }
    class Conditional {
      @IsOptional()
      @field(said, {}, (value) => value)
      text?: string;
    }
    class Undeclared {
      @even
      number?: number;
    }
    for (const type of [Foreign, Conditional, Undeclared])
      expect(() => fieldsOf(type)).toThrow(
        /is not declared by field\(\)|has a rule that is not made by check\(\)/,
      );
  });
});
