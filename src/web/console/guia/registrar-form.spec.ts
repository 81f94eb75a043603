import { AppError } from '../../../platform/errors/app-error.js';
import { readRegistro } from './registrar-form.js';

const ZONE = 'America/Guatemala';
const NOW = Date.parse('2026-11-25T18:00:30Z');

describe('readRegistro', () => {
  it("reads an operator's event, without what was left empty", () => {
    const fields = {
      clave: 'x',
      estado: 'entregado',
      motivo: '',
      nota: ' Lo dijo por teléfono ',
      cod_cobrado: 'Q 1,349.50',
      piloto: '',
      recibio: 'Rosa',
      pin: '',
      sin_pin: 'si',
      ocurrido_en: '2026-11-25T11:15',
    };
    expect({ ...readRegistro(fields, ZONE, NOW) }).toEqual({
      estado: 'entregado',
      nota: 'Lo dijo por teléfono',
      cod_cobrado: 1349.5,
      recibio: 'Rosa',
      sin_pin: true,
      ocurrido_en: '2026-11-25T17:15:00.000Z',
    });
  });

  it.each([
    ['estado', {}],
    ['motivo', { estado: 'intento_fallido' }],
    ['piloto', { estado: 'en_ruta', piloto: '01a1fa17-4c3e-7d25-9b80-1e6f7a2c5d94' }],
    ['cod_cobrado', { estado: 'entregado', cod_cobrado: 'mucho' }],
    ['ocurrido_en', { estado: 'en_ruta', ocurrido_en: '2026-11-25T12:01' }],
    ['ocurrido_en', { estado: 'en_ruta', ocurrido_en: '2026-02-30T12:01' }],
    ['ocurrido_en', { estado: 'en_ruta', ocurrido_en: '2026-11-25T11:15Z' }],
  ])('names %s where that is wrong: %j', (campo, fields) => {
    const fault = () => readRegistro(fields, ZONE, NOW);
    expect(fault).toThrow(AppError);
    try {
      fault();
    } catch (error) {
      expect((error as AppError).errores?.[0]).toMatchObject({ campo });
    }
  });

  it('takes the minute that is now', () => {
    const fields = { estado: 'en_ruta', ocurrido_en: '2026-11-25T12:00' };
    expect(readRegistro(fields, ZONE, NOW).ocurrido_en).toBe('2026-11-25T18:00:00.000Z');
  });
});
