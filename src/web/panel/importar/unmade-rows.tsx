import type { ComponentChildren } from 'preact';
import { grouped } from '../../kit/elements.js';
import { fieldName } from '../../kit/field-names.js';
import { GuiaLink } from '../pages/panel-page.js';
import type { Reviewed } from './importar.service.js';

/** Rows of a kind that are listed. */
export const LISTED = 50;

interface Kind {
  is: (row: Reviewed) => boolean | undefined;
  one: string;
  /** Heads several, after their number. */
  many: string;
  /** Why no guide is made of them, and how to make one. */
  why: string;
  each: (row: Reviewed) => ComponentChildren;
}

const repeatedBy = ({ repeated }: Reviewed): ComponentChildren =>
  'guia' in repeated!.of && <GuiaLink guia={repeated!.of.guia} />;

function differenceOf(row: Reviewed): ComponentChildren {
  const { of, differing } = row.repeated!;
  return (
    <>
      es {'guia' in of ? 'la guía ' : `la fila ${of.linea}`}
      {repeatedBy(row)} con otro dato en {differing.map(fieldName).join(', ')}.
    </>
  );
}

const KINDS: Kind[] = [
  {
    is: ({ cancelado }) => cancelado !== undefined,
    one: 'Un pedido está cancelado en el archivo',
    many: 'pedidos están cancelados en el archivo',
    why: 'No se crea su guía. Si alguno sí se envía, corrija su estado en el archivo y súbalo otra vez.',
    each: ({ cancelado }) => `«${cancelado!.slice(0, 40)}»`,
  },
  {
    is: ({ repeated }) => repeated?.isCancelled,
    one: 'Una fila es de una guía cancelada',
    many: 'filas son de guías canceladas',
    why: 'No se crea otra guía, y la cancelada no vuelve. Si todavía se envía, póngale otro número de pedido y suba el archivo otra vez.',
    each: repeatedBy,
  },
  {
    is: ({ repeated }) => repeated && repeated.differing.length > 0 && !repeated.isCancelled,
    one: 'Una fila repite un pedido con otros datos',
    many: 'filas repiten un pedido con otros datos',
    why: 'No se crea otra guía, y la que hay no cambia. Si es otro pedido, póngale su propio número y suba el archivo otra vez.',
    each: differenceOf,
  },
  {
    is: ({ repeated }) => repeated?.isByData,
    one: 'Una fila sin pedido ya se importó',
    many: 'filas sin pedido ya se importaron',
    why: 'Otro archivo de las últimas 24 horas tenía los mismos datos. Si es otro envío igual, póngale un número de pedido y suba el archivo otra vez.',
    each: repeatedBy,
  },
];

/** Rows of a file of which nothing is made, though nothing is wrong with them: which, and why. */
export function UnmadeRows({ rows }: { rows: Reviewed[] }) {
  return KINDS.map(({ is, one, many, why, each }) => {
    const own = rows.filter(is);
    if (own.length === 0) return null;
    return (
      <section class="card stack">
        <h2>{own.length === 1 ? one : `${grouped(own.length)} ${many}`}</h2>
        <p class="soft">{why}</p>
        <ul class="items">
          {own.slice(0, LISTED).map((row) => (
            <li>
              Fila {row.linea} ·{' '}
              {row.item.texts.external_ref ?? row.item.texts.nombre ?? row.item.texts.telefono}: {each(row)}
            </li>
          ))}
        </ul>
        {own.length > LISTED && <p class="soft">Y {grouped(own.length - LISTED)} más.</p>}
      </section>
    );
  });
}
