import { GUIA } from '../../../guias/lote/csv-header.js';
import { grouped } from '../../kit/elements.js';
import { Note } from '../../kit/note.js';
import type { Review } from './importar.service.js';

/** Where the headings were found in the file, and which rows of it are no orders. */
export function Where({ archivo: { tabla, columnas } }: Pick<Review, 'archivo'>) {
  const { header, hoja, omitidas, encabezado = 1 } = tabla;
  const hasPhone = Object.values(columnas).some((campo) => campo === 'telefono' || campo === GUIA);
  const first = header.filter((one) => one !== '').slice(0, 4);
  return (
    <>
      {hoja && hoja.de > 1 && (
        <p class="soft">
          El libro tiene {hoja.de} hojas. Se lee la primera que está a la vista: «{hoja.nombre}».
        </p>
      )}
      {hoja?.ocultas !== undefined && hoja.ocultas > 0 && (
        <p class="soft">
          {hoja.ocultas === 1
            ? 'Una fila está oculta en el libro; también se lee.'
            : `${grouped(hoja.ocultas)} filas están ocultas en el libro; también se leen.`}
        </p>
      )}
      {omitidas && (
        <p class="soft">
          No son pedidos, y no se leen:{' '}
          {omitidas.filas.map(({ linea, texto }) => `la fila ${linea} («${texto}»)`).join(', ')}
          {omitidas.son > omitidas.filas.length && ` y ${grouped(omitidas.son - omitidas.filas.length)} más`}.
        </p>
      )}
      {encabezado > 1 && (
        <p class="soft">Los encabezados están en la fila {encabezado}; lo de arriba no se lee.</p>
      )}
      {!hasPhone && (
        <Note tone="bad">
          Ninguna columna es la del teléfono. Como encabezados se leyó la primera fila: «
          {first.join(', ').slice(0, 80)}». Si están en otra fila, borre las de arriba y suba el archivo otra
          vez; si no, elija abajo la columna del teléfono.
        </Note>
      )}
    </>
  );
}

/** Says that no column is taken as the amount, and which ones could be it. */
export function NoAmount({ headings }: { headings: string[] | undefined }) {
  if (headings === undefined) return null;
  const named = headings.slice(0, 5).map((one) => `«${one.slice(0, 40)}»`);
  return (
    <Note tone="bad">
      Ninguna columna trae el monto: no se cobra nada al entregar estas guías.{' '}
      {headings.length > 0
        ? `¿Es el monto alguna de estas: ${named.join(', ')}? Elija abajo «Por cobrar» en ella; si no se cobra nada, márquelo antes de importar.`
        : 'Si se cobra, elija abajo la columna que es «Por cobrar»; si no, márquelo antes de importar.'}
    </Note>
  );
}
