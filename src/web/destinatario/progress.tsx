import { ESTADOS, FINAL_ESTADOS, type GuiaEstado } from '../../guias/guia/guia-estado.js';
import { timeZoneOf } from '../../platform/validation/time-zone.js';
import { mapAttributes } from '../kit/map-attributes.js';
import type { PageModel } from './page-model.js';

/** The step of the way that a state belongs to; null where the parcel is not on its way. */
const STEP_OF: Record<GuiaEstado, number | null> = {
  aceptado: 0,
  en_camino_a_recoger: 0,
  recogido: 1,
  en_ruta: 2,
  intento_fallido: 2,
  entregado: 3,
  en_devolucion: null,
  devuelto: null,
  cancelado: null,
  extraviado: null,
};

/** The way in four steps on one line. */
export function Steps({ texts, estado, isReported }: PageModel) {
  const at = STEP_OF[estado];
  if (at === null) return null;
  return (
    <ol class={`way-line ${isReported ? 'care' : ESTADOS[estado].tone}`} aria-label={texts.progress}>
      {texts.steps.map((name, i) => (
        <li class={i < at ? 'done' : undefined} aria-current={i === at ? 'step' : undefined}>
          {name}
        </li>
      ))}
    </ol>
  );
}

/** All that happened, newest first. `page.js` updates the page each minute until the parcel has arrived. */
export function History(model: PageModel) {
  const { texts, estado, pasos } = model;
  return (
    <details id="progress" data-follow={FINAL_ESTADOS.includes(estado) ? undefined : ''}>
      <summary>{texts.history}</summary>
      <ol class="steps">
        {[...pasos].reverse().map(({ estado: paso, en, motivo }, i) => (
          <li aria-current={i === 0 ? 'step' : undefined}>
            <span>{texts.estados[paso].step}</span>
            {motivo && <span class="hint why">{texts.motivos[motivo].why}</span>}
            <LocalTime {...model} at={en} />
          </li>
        ))}
      </ol>
    </details>
  );
}

/**
 * A time as the merchant's country writes it, in its zone; `page.js` rewrites it in the phone's zone. A parcel is on its way
 * for days, so the weekday says more than the year.
 */
export function LocalTime({ at, texts, pais }: PageModel & { at: string }) {
  const timeZone = timeZoneOf(pais);
  const locale = `${texts.lang}-${pais}`;
  const day = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone });
  const clock = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone });
  const date = new Date(at);
  return (
    <time datetime={at} data-local>
      {/* "6:41 p. m." stays in one line. */}
      {`${day.format(date)}, ${clock.format(date).replace(/ /g, '\u00a0')}`}
    </time>
  );
}

/** The known place, with its landmark where that is not shown above. Without scripts its coordinates open the phone's own map. */
export function Where({ hasLandmark, ...model }: PageModel & { hasLandmark: boolean }) {
  const { texts, estado, referencia, municipio } = model;
  const { lat, lng } = model.destino!;
  const coordinates = `${lat.toFixed(6)}, ${lng.toFixed(6)}`;
  return (
    <section class="where">
      <h2>{ESTADOS[estado].isOpen ? texts.where.title : texts.where.ended}</h2>
      {hasLandmark && referencia !== '' && (
        <p class="landmark">
          <bdi>{referencia}</bdi> <span class="hint">{municipio}</span>
        </p>
      )}
      <details id="where" class="other" data-lat={lat} data-lng={lng} {...mapAttributes('/c', model.tiles)}>
        <summary>{texts.where.open}</summary>
        <div id="where-map" class="map low" role="group" aria-label={texts.where.map} hidden />
        <p id="where-note" class="hint map-note" role="status" />
        <p class="coordinates">
          <span class="hint">{texts.form.coordinates}</span> <a href={`geo:${lat},${lng}`}>{coordinates}</a>
        </p>
      </details>
    </section>
  );
}
