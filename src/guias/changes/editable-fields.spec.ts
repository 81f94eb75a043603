import type { Author } from './author.js';
import type { EditarGuiaDto } from '../dto/editar-guia.dto.js';
import { FINAL_ESTADOS, GUIA_ESTADOS, OPEN_ESTADOS, type GuiaEstado } from '../guia/guia-estado.js';
import { checkCampos, checkEditable, isEditable } from './editable-fields.js';
import { EDITABLE_CAMPOS as CAMPOS } from '../guia/guia-fields.js';

const OF_THE_PARCEL = ['departamento', 'municipio', 'nombre', 'contenido', 'cod_amount'];

/** What the check refuses; undefined if nothing. */
function refusal(check: () => void) {
  try {
    check();
    return undefined;
  } catch (error) {
    const { codigo, detail, errores } = error as {
      codigo: string;
      detail: string;
      errores?: { campo: string }[];
    };
    return { codigo, detail, campos: errores?.map(({ campo }) => campo) ?? [] };
  }
}

describe('a guide', () => {
  it('is editable in every open state', () => {
    expect(GUIA_ESTADOS.filter(isEditable)).toEqual(OPEN_ESTADOS);
  });

  it.each<[actor: Author['actor'], estado: GuiaEstado, locked: string[]]>([
    ['comercio', 'aceptado', []],
    ['comercio', 'en_camino_a_recoger', []],
    ['comercio', 'recogido', OF_THE_PARCEL],
    ['comercio', 'intento_fallido', OF_THE_PARCEL],
    ['comercio', 'en_ruta', CAMPOS.filter((campo) => !['referencia', 'notas'].includes(campo))],
    ['operador', 'en_ruta', OF_THE_PARCEL],
    ['soporte', 'en_ruta', OF_THE_PARCEL],
    ['operador', 'en_devolucion', CAMPOS],
    ['comercio', 'entregado', CAMPOS],
  ])('by %s in %s does not change %j', (actor, estado, locked) => {
    expect(refusal(() => checkCampos(CAMPOS, estado, actor))?.campos ?? []).toEqual(locked);
  });

  it.each(GUIA_ESTADOS.filter((estado) => !isEditable(estado)))(
    'in %s is refused whole, also for an empty request, and says whether it has ended',
    (estado) => {
      const bodies: EditarGuiaDto[] = [{}, { notas: 'x' }, { lat: 14, lng: -90 }];
      for (const dto of bodies) {
        const refused = refusal(() => checkEditable(estado, dto));
        expect(refused).toMatchObject({ codigo: 'guia_no_modificable', campos: Object.keys(dto) });
        expect(refused!.detail).toContain(`\`${estado}\``);
        expect(refused!.detail.includes('ya terminó')).toBe(FINAL_ESTADOS.includes(estado));
      }
    },
  );

  it('in an editable state passes whatever is sent', () => {
    for (const estado of GUIA_ESTADOS.filter(isEditable))
      expect(refusal(() => checkEditable(estado, { cod_amount: 5 }))).toBeUndefined();
  });
});
