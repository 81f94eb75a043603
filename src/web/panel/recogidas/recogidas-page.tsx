import type { MapTiles } from '../../../platform/config/map-tiles.js';
import { Badge } from '../../kit/elements.js';
import { Ask, PostForm, Press } from '../../kit/post-form.js';
import { Check } from '../../kit/field.js';
import { Icon } from '../../kit/icon.js';
import { renderPage } from '../../kit/page.js';
import { MapPoint } from '../../kit/shown-link.js';
import { withQuery } from '../../kit/with-query.js';
import type { Refusal } from '../forms/panel-forms.service.js';
import { noticeOf, PanelPage } from '../pages/panel-page.js';
import { may, type Visit } from '../visit.js';
import type { PanelRecogida } from './panel-recogida.entity.js';
import { PUNTO_SCRIPT, PuntoFields } from './punto-fields.js';

export const RECOGIDAS = '/panel/recogidas';

/** Notice after a form of the page, by its word in the address. */
const DONE: Record<string, string> = {
  guardado: 'El punto está guardado.',
  lejos:
    'El punto está guardado, pero queda lejos de su país. Revise el signo y el orden de las coordenadas.',
  siempre: 'Desde ahora se recoge ahí, si no elige otro punto.',
  quitado: 'El punto ya no está. Las guías que lo tienen se recogen ahí.',
};

interface RecogidasPageProps {
  visit: Visit;
  /** The usual one first. */
  puntos: readonly PanelRecogida[];
  tiles: MapTiles | null;
  /** Id of the point that the form is of; without it, it makes one. */
  cambiar?: string | undefined;
  hecho?: string | undefined;
  refusal?: Refusal | undefined;
}

/** The merchant's pickup points, and the form of one. */
export function renderRecogidas(props: RecogidasPageProps): string {
  const { visit, puntos, cambiar, hecho, refusal } = props;
  const mayWrite = may(visit, 'guias:escribir');
  const changed = puntos.find(({ id }) => id === cambiar);
  return renderPage(
    <PanelPage
      title="Puntos de recogida"
      visit={visit}
      sub="Donde el mensajero pasa por sus paquetes. Al crear una guía se elige por su nombre."
      done={noticeOf(DONE, hecho)}
      isDoubtful={hecho === 'lejos'}
      refusal={refusal}
      scripts={mayWrite ? [PUNTO_SCRIPT] : []}
    >
      {puntos.length === 0 ? (
        <p class="empty">Todavía no hay ninguno.</p>
      ) : (
        <ul class="items card">
          {puntos.map((punto, n) => (
            <Punto punto={punto} isUsual={n === 0} mayWrite={mayWrite} />
          ))}
        </ul>
      )}
      {mayWrite && <PuntoForm {...props} punto={changed} isFirst={puntos.length === 0} />}
    </PanelPage>,
  );
}

function Punto({ punto, isUsual, mayWrite }: { punto: PanelRecogida; isUsual: boolean; mayWrite: boolean }) {
  const { id, nombre, direccion, lat, lng } = punto;
  return (
    <li class="stack tight" data-recogida={id}>
      <div class="row">
        <b class="grow">{nombre}</b>
        {isUsual && (
          <Badge tone="ask">
            <Icon name="check" /> El de siempre
          </Badge>
        )}
      </div>
      <span>{direccion}</span>
      <span class="soft t2">
        <MapPoint lat={lat} lng={lng} />
      </span>
      {mayWrite && (
        <div class="row">
          <a class="btn" href={`${withQuery(RECOGIDAS, { cambiar: id })}#f`}>
            <Icon name="pen" />
            Cambiar<span class="vh"> {nombre}</span>
          </a>
          {!isUsual && (
            <Press action={`${RECOGIDAS}/${id}/siempre`} icon="check">
              Usar siempre<span class="vh"> {nombre}</span>
            </Press>
          )}
          <Ask label="Quitar" confirm={`Sí, quitar ${nombre}`} action={`${RECOGIDAS}/${id}/quitar`}>
            <p>Las guías que ya lo tienen se recogen ahí.</p>
          </Ask>
        </div>
      )}
    </li>
  );
}

type PuntoFormProps = RecogidasPageProps & { punto: PanelRecogida | undefined; isFirst: boolean };

function PuntoForm({ visit, puntos, tiles, punto, isFirst, refusal }: PuntoFormProps) {
  return (
    <>
      <PostForm
        action={punto ? `${RECOGIDAS}/${punto.id}` : RECOGIDAS}
        class="stack"
        id="f"
        aria-labelledby="punto"
      >
        <h2 id="punto">{punto ? `Cambiar ${punto.nombre}` : 'Agregar un punto'}</h2>
        <PuntoFields visit={visit} tiles={tiles} typed={refusal} punto={punto} near={puntos[0]} />
        {!isFirst && <Check label="Usar siempre este" name="siempre" typed={refusal} />}
      </PostForm>
      <div class="dock">
        <button type="submit" class="btn main big" form="f">
          <Icon name="check" />
          {punto ? 'Guardar los cambios' : 'Guardar el punto'}
        </button>
      </div>
    </>
  );
}
