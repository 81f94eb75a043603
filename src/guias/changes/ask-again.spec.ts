import { GUIA_ESTADOS, type GuiaEstado } from '../guia/guia-estado.js';
import { askRefusal, type AskRefusal } from './ask-again.js';

const REFUSED: Partial<Record<GuiaEstado, AskRefusal>> = {
  ...{ en_ruta: 'en_ruta', en_devolucion: 'en_devolucion', entregado: 'final', devuelto: 'final' },
  ...{ cancelado: 'final', extraviado: 'final' },
};

describe('the recipient of a guide', () => {
  it.each(GUIA_ESTADOS)('in %s is asked again, unless its state forbids it', (estado) => {
    expect(askRefusal({ estado, advertencias: ['mensaje_fallido'] })).toBe(REFUSED[estado]);
  });

  it.each(GUIA_ESTADOS)('in %s who denied the parcel is not asked', (estado) => {
    expect(askRefusal({ estado, advertencias: ['destinatario_niega'] })).toBe(REFUSED[estado] ?? 'niega');
  });
});
