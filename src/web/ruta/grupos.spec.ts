import type { GuiaEstado } from '../../guias/guia/guia-estado.js';
import { gruposOf } from './grupos.js';
import type { GuiaMostrada } from './phone-data.js';

let n = 0;
const guia = (estado: GuiaEstado, over: object = {}, comercio = 'Tienda') =>
  ({
    ...{ guia: String(++n), estado, comercio },
    recogida: { nombre: 'Bodega', direccion: '5a calle', lat: 14.6, lng: -90.5, maps_url: null, ...over },
  }) as GuiaMostrada;
const shape = (guias: GuiaMostrada[]) =>
  gruposOf(guias).map(({ accion, titulo, guias: { length } }) => [accion, titulo, length]);

describe('what a driver moves at once', () => {
  it('is one group for each pickup point, then what is in hand', () => {
    const guias = [
      ...[guia('recogido'), guia('aceptado'), guia('en_camino_a_recoger', { lat: 14.600_01 })],
      ...[guia('aceptado', { nombre: 'Otra' }), guia('en_ruta'), guia('entregado'), guia('intento_fallido')],
    ];
    expect(shape(guias)).toEqual([
      ['recogido', 'Bodega', 2],
      ['recogido', 'Otra', 1],
      ['en_ruta', 'En sus manos', 1],
    ]);
    expect(shape([guia('en_ruta')])).toEqual([]);
  });

  it.each([
    ['its name', { nombre: 'B' }, 'Tienda'],
    ['its address', { direccion: '6a calle' }, 'Tienda'],
    ['its place', { lat: 14.61 }, 'Tienda'],
    ['its merchant', {}, 'Otra tienda'],
  ])('is of a point that differs by %s', (_, over, comercio) => {
    expect(shape([guia('aceptado'), guia('aceptado', over, comercio)])).toHaveLength(2);
  });

  it('is called by what is known of the point, and its address tells nothing of it', () => {
    const titles = [{}, { nombre: null }, { nombre: null, direccion: null }].map(
      (over) => gruposOf([guia('aceptado', over)])[0]!.titulo,
    );
    expect(titles).toEqual(['Bodega', '5a calle', 'Tienda']);
    expect(gruposOf([guia('aceptado')])[0]!.clave).toMatch(/^recoger-[0-9a-z]{1,7}$/);
  });
});
