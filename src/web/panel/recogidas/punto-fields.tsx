import { MAX } from '../../../guias/guia/limits.js';
import { middleOf } from '../../../locations/plausibility.js';
import type { Coordinates } from '../../../locations/reading.js';
import type { MapTiles } from '../../../platform/config/map-tiles.js';
import { Field, type TypedForm } from '../../kit/field.js';
import { Icon } from '../../kit/icon.js';
import { mapAttributes } from '../../kit/map-attributes.js';
import type { Visit } from '../visit.js';
import type { PanelRecogida } from './panel-recogida.entity.js';

/** Script by which the map and the phone's position fill the fields. */
export const PUNTO_SCRIPT = 'recogidas.js';

interface PuntoFieldsProps {
  visit: Visit;
  tiles: MapTiles | null;
  typed: TypedForm | undefined;
  /** Before the names of the fields, in a form that has others; then they may be left empty. */
  prefix?: 'recogida.';
  /** The point that is changed. */
  punto?: PanelRecogida | undefined;
  /** Where the map begins; default: the middle of the country. */
  near?: Coordinates | undefined;
}

/** The fields of a pickup point: its place by the map, the phone's position, a link or coordinates. */
export function PuntoFields({ visit, tiles, typed, prefix, punto, near }: PuntoFieldsProps) {
  const of = (name: string) => ({ name: `${prefix ?? ''}${name}`, typed });
  const start = punto ?? near ?? middleOf(visit.merchant.country);
  const isTyped = ['lat', 'lng'].some((name) => {
    const own = of(name).name;
    return typed?.fields[own] || typed?.faults.some(({ campo }) => campo === own);
  });
  const required = prefix === undefined;
  return (
    <div class="stack" data-punto>
      <Field
        label="Cómo le dice"
        {...of('nombre')}
        value={punto?.nombre}
        required={required}
        maxLength={MAX.nombre}
      />
      <figure
        class="map"
        hidden
        data-mapa
        data-lat={start.lat}
        data-lng={start.lng}
        data-known={punto && ''}
        {...mapAttributes('/panel', tiles)}
      >
        <div />
      </figure>
      <div hidden data-botones>
        <div class="row">
          <button type="button" class="btn" data-elegir>
            <Icon name="pin" />
            Elegir en el mapa
          </button>
          <button type="button" class="btn" data-ubicar>
            Usar mi ubicación
          </button>
        </div>
        <p class="soft t2" role="status">
          O pegue un enlace:
        </p>
      </div>
      <Field
        label={
          punto
            ? 'Otro lugar: enlace de mapa o coordenadas (vacío: queda donde está)'
            : 'Enlace de mapa o coordenadas'
        }
        {...of('maps_url')}
        inputMode="url"
      />
      <details open={Boolean(isTyped)}>
        <summary>Escribir coordenadas</summary>
        <div class="cols">
          <Field label="Latitud" {...of('lat')} inputMode="decimal" />
          <Field label="Longitud" {...of('lng')} inputMode="decimal" />
        </div>
      </details>
      <Field
        label="Cómo la reconoce el mensajero"
        {...of('direccion')}
        value={punto?.direccion}
        required={required}
        maxLength={MAX.direccion}
      >
        <span class="soft t2">Color, portón, a quién preguntar.</span>
      </Field>
    </div>
  );
}
