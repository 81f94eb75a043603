import { GUIA_ESTADOS, OPEN_ESTADOS, type GuiaEstado } from '../guia-estado.js';
import { EDITABLE_IN, isEditable, lockedCampos, type EditableCampo } from './editable-fields.js';

describe('a guide', () => {
  it('is editable in every open state except en_ruta', () => {
    expect(GUIA_ESTADOS.filter(isEditable)).toEqual(OPEN_ESTADOS.filter((estado) => estado !== 'en_ruta'));
  });

  it.each<[estado: GuiaEstado, locked: string[]]>([
    ['aceptado', []],
    ['en_camino_a_recoger', []],
    ['recogido', ['nombre', 'departamento', 'municipio', 'contenido', 'cod_amount']],
    ['intento_fallido', ['nombre', 'departamento', 'municipio', 'contenido', 'cod_amount']],
    ['en_ruta', Object.keys(EDITABLE_IN)],
    ['entregado', Object.keys(EDITABLE_IN)],
  ])('in %s does not let the merchant change %j', (estado, locked) => {
    expect(lockedCampos(Object.keys(EDITABLE_IN) as EditableCampo[], estado)).toEqual(locked);
  });
});
