import { MAX } from '../../guias/limits.js';
import { mapAttributes } from './map-attributes.js';
import type { Field, PageModel } from './page-model.js';
import { PinIcon } from './page-layout.js';

/**
 * Characters. More than any link may have: a longer one is refused as too long, never cut into another place.
 */
const MAX_PASTED = 4_500;

/**
 * Works without scripts. Where they run, `page.js` shows `#here` and loads the map's files from the `data-`
 * attributes.
 */
export function ConfirmationForm(model: PageModel) {
  const { error, posted, hasChat, cerca } = model;
  const value = (name: Field): string => (error && posted[name]) ?? '';
  return (
    <form
      method="post"
      id="form"
      {...mapAttributes(model)}
      data-near-lat={cerca?.lat}
      data-near-lng={cerca?.lng}
      data-chat={hasChat ? '' : undefined}
    >
      <LocateSection />
      <details id="other" class="other" open>
        <summary>Pegar un enlace o coordenadas</summary>
        <div class="field">
          <label for="maps_url">Enlace de mapa</label>
          <p class="hint" id="maps_url-hint">
            En tu app de mapas, mantén presionado el punto, toca «Compartir» y copia el enlace. Sirven Google
            Maps, Waze y Apple Maps.
          </p>
          <input
            {...fieldAttributes('maps_url', 'maps_url-hint', error)}
            type="text"
            inputmode="url"
            value={value('maps_url')}
            maxlength={MAX_PASTED}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
          />
        </div>
        <fieldset>
          <legend>O las coordenadas</legend>
          <p class="hint" id="numbers-hint">
            Con su signo: 14.6407 y -90.5133.
          </p>
          <div class="pair">
            <NumberField name="lat" label="Latitud" value={value('lat')} error={error} />
            <NumberField name="lng" label="Longitud" value={value('lng')} error={error} />
          </div>
        </fieldset>
      </details>
      <div class="field">
        <label for="referencia">
          Referencia <span class="optional">(opcional)</span>
        </label>
        <p class="hint" id="referencia-hint">
          Lo que ayude a encontrarte: «Casa azul frente a la iglesia».
        </p>
        <textarea
          {...fieldAttributes('referencia', 'referencia-hint', error)}
          rows={2}
          maxlength={MAX.referencia}
          autocomplete="off"
        >
          {/* Browsers drop a line break at the start of a textarea. */}
          {`\n${value('referencia')}`}
        </textarea>
      </div>
      <input type="hidden" name="precision" id="precision" />
      <div class="actions">
        <button type="submit" id="confirm" class="button">
          Confirmar
        </button>
      </div>
    </form>
  );
}

/** What needs scripts: the button, its help and the map. */
function LocateSection() {
  return (
    <section id="here" hidden>
      <button type="button" id="locate" class="button">
        <PinIcon />
        <span id="locate-text">Usar mi ubicación</span>
      </button>
      <p class="hint" id="locate-hint">
        Tu teléfono te pedirá permiso. Solo la usamos para esta entrega.
      </p>
      <div id="help" class="alert" role="alert" hidden />
      <p id="status" class="status" role="status" />
      <div id="place" hidden>
        <div id="map" class="map" role="group" aria-label="Mapa con el pin de entrega" hidden />
        <p class="hint" id="map-hint" />
        <p class="coordinates" id="chosen" hidden>
          <span class="hint">Coordenadas</span> <output id="coordinates" for="lat lng" />
        </p>
      </div>
    </section>
  );
}

interface NumberFieldProps {
  name: 'lat' | 'lng';
  label: string;
  value: string;
  error: PageModel['error'];
}

/** A plain text field: the decimal keypads of many phones lack the minus sign of western longitudes. */
function NumberField({ name, label, value, error }: NumberFieldProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input
        {...fieldAttributes(name, 'numbers-hint', error)}
        type="text"
        value={value}
        autocomplete="off"
        spellcheck={false}
      />
    </div>
  );
}

/** A field is named as in the API, and described by its hint and by an error that is about it. */
function fieldAttributes(name: Field, hintId: string, error: PageModel['error']) {
  if (error?.field !== name) return { id: name, name, 'aria-describedby': hintId };
  return { id: name, name, 'aria-describedby': `${hintId} error-text`, 'aria-invalid': true };
}
