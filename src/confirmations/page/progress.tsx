import { FINAL_ESTADOS } from '../../guias/guia-estado.js';
import { timeZoneOf } from '../../guias/local-format.js';
import { mapAttributes } from './map-attributes.js';
import type { PageModel } from './page-model.js';

/** The parcel's progress, newest first. `page.js` updates it each minute until the parcel has arrived. */
export function Progress({ texts, estado, pasos, pais }: PageModel) {
  const timeZone = timeZoneOf(pais);
  return (
    <section id="progress" data-follow={FINAL_ESTADOS.includes(estado) ? undefined : ''}>
      <h2>{texts.progress}</h2>
      <ol class="steps">
        {[...pasos].reverse().map(({ estado: paso, en, motivo }, i) => (
          <li aria-current={i === 0 ? 'step' : undefined}>
            <span>{texts.estados[paso].step}</span>
            {paso === 'intento_fallido' && motivo && (
              <span class="hint why">{texts.motivos[motivo].why}</span>
            )}
            <LocalTime at={en} timeZone={timeZone} locale={`${texts.lang}-${pais}`} />
          </li>
        ))}
      </ol>
    </section>
  );
}

interface LocalTimeProps {
  /** ISO 8601. */
  at: string;
  timeZone: string;
  locale: string;
}

/**
 * A time as the merchant's country writes it, in its zone; `page.js` rewrites it in the phone's zone. A parcel is on its way
 * for days, so the weekday says more than the year.
 */
function LocalTime({ at, timeZone, locale }: LocalTimeProps) {
  const day = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone });
  const clock = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone });
  const date = new Date(at);
  return (
    <time datetime={at} class="hint" data-local>
      {/* "6:41 p. m." stays in one line. */}
      {`${day.format(date)}, ${clock.format(date).replace(/ /g, '\u00a0')}`}
    </time>
  );
}

/** The confirmed place. Without scripts its coordinates open the phone's own map. */
export function Where(model: PageModel) {
  const { texts } = model;
  const { lat, lng } = model.destino!;
  const coordinates = `${lat.toFixed(6)}, ${lng.toFixed(6)}`;
  return (
    <details id="where" class="other" data-lat={lat} data-lng={lng} {...mapAttributes(model)}>
      <summary>{texts.where.open}</summary>
      <div id="where-map" class="map" role="group" aria-label={texts.where.map} hidden />
      <p id="where-note" class="hint map-note" role="status" />
      <p class="coordinates">
        <span class="hint">{texts.form.coordinates}</span> <a href={`geo:${lat},${lng}`}>{coordinates}</a>
      </p>
    </details>
  );
}
