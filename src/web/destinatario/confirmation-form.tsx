import type { ComponentChildren } from 'preact';
import { MAX } from '../../guias/guia/limits.js';
import { ACCEPTED, MAX_NOTA } from '../../confirmations/dto/confirmar.dto.js';
import { mapAttributes } from '../kit/map-attributes.js';
import type { Field } from './fault-texts.js';
import type { PageModel } from './page-model.js';
import { PinIcon } from './page-layout.js';
import type { Coordinates } from '../../locations/reading.js';
import type { PageTexts } from './texts.js';

/**
 * Characters. More than any link may have: a longer one is refused as too long, never cut into another place.
 */
const MAX_PASTED = 4_500;

/**
 * Works without scripts. Where they run, `page.js` shows `#here` and loads the map's files from the `data-`
 * attributes.
 */
export function ConfirmationForm(model: PageModel) {
  const { error, posted, hasChat, asksAgain } = model;
  // Whoever says that the parcel is not theirs sees no place of it.
  const destino = model.isDenied ? null : model.destino;
  const near = destino ?? model.cerca;
  const texts = model.texts.form;
  const value = (name: Field): string => (error && posted[name]) ?? '';
  // After an error the answer is still about the place that was shown before, unless the page has said that it changed.
  const version = error && error.asks !== 'change' ? (posted.version ?? model.version) : model.version;
  return (
    <form
      method="post"
      id="form"
      class={asksAgain ? 'numbered' : undefined}
      {...mapAttributes('/c', model.tiles)}
      data-near-lat={near?.lat}
      data-near-lng={near?.lng}
      data-known={destino ? '' : undefined}
      data-chat={hasChat ? '' : undefined}
    >
      {asksAgain && destino && <SavedPlace texts={texts} destino={destino} />}
      <LocateSection texts={texts} hasStreets={model.tiles !== null && near !== null} />
      <details id="other" class="other" open>
        <summary>{texts.other}</summary>
        {/* Of several lines: apps copy a place's name and its link together. */}
        <TextField
          name="maps_url"
          label={texts.link}
          hint={texts.linkHint}
          value={value('maps_url')}
          error={error}
          rows={1}
          maxlength={MAX_PASTED}
          isLink
        />
        <fieldset>
          <legend>{texts.orCoordinates}</legend>
          <p class="hint" id="numbers-hint">
            {texts.coordinatesHint}
          </p>
          <div class="pair">
            <NumberField name="lat" label={texts.lat} value={value('lat')} error={error} />
            <NumberField name="lng" label={texts.lng} value={value('lng')} error={error} />
          </div>
        </fieldset>
      </details>
      <TextField
        name="referencia"
        label={<Optional label={texts.referencia} texts={texts} />}
        hint={texts.referenciaHint}
        value={error ? value('referencia') : model.referencia}
        error={error}
        maxlength={MAX.referencia}
      />
      <NoteField {...model} value={value('nota')} />
      <input type="hidden" name="version" value={version} />
      <input type="hidden" name="precision_m" value={(error && posted.precision_m) ?? ''} />
      <input
        type="hidden"
        name="precision_aceptada"
        value={error?.asks === 'precision' ? ACCEPTED : ((error && posted.precision_aceptada) ?? '')}
      />
      <div class="actions">
        <button type="submit" id="confirm" class="button">
          {asksAgain ? texts.tell : texts.confirm}
        </button>
      </div>
    </form>
  );
}

/** The place that a failed attempt went to. The map of `page.js` stands in for its coordinates, which open the phone's map. */
function SavedPlace({ texts, destino: { lat, lng } }: { texts: PageTexts['form']; destino: Coordinates }) {
  return (
    <section class="saved">
      <h2>{texts.placeAgain}</h2>
      <p class="coordinates" id="saved-place">
        <span class="hint">{texts.savedPlace}</span>{' '}
        <a href={`geo:${lat},${lng}`}>{`${lat.toFixed(6)}, ${lng.toFixed(6)}`}</a>
      </p>
    </section>
  );
}

/** A note for the driver. Before an attempt has failed few have anything to say, so it is folded. */
export function NoteField({
  texts: { form, where },
  hasFailed,
  error,
  value,
}: PageModel & { value: string }) {
  const field = (label: ComponentChildren) => (
    <TextField
      name="nota"
      label={label}
      hint={form.notaHint}
      value={value}
      error={error}
      maxlength={MAX_NOTA}
    />
  );
  if (hasFailed) return field(<Optional label={form.nota} texts={form} />);
  return (
    <details class="other" open={value !== ''}>
      <summary>{form.nota}</summary>
      {field(where.note)}
    </details>
  );
}

const Optional = ({ label, texts }: { label: string; texts: PageTexts['form'] }) => (
  <>
    {label} <span class="optional">{texts.optional}</span>
  </>
);

interface TextFieldProps {
  name: Field;
  label: ComponentChildren;
  hint?: string;
  value: string;
  error: PageModel['error'];
  rows?: number;
  maxlength: number;
  isLink?: boolean;
}

/** A keyboard for links. */
const LINK = { class: 'link', inputmode: 'url', autocapitalize: 'none', spellcheck: false } as const;

export function TextField({ name, label, hint, value, error, rows = 2, maxlength, isLink }: TextFieldProps) {
  const id = hint && `${name}-hint`;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint && (
        <p class="hint" id={id}>
          {hint}
        </p>
      )}
      <textarea
        {...fieldAttributes(name, id, error)}
        {...(isLink && LINK)}
        rows={rows}
        maxlength={maxlength}
        autocomplete="off"
      >
        {/* Browsers drop a line break at the start of a textarea. */}
        {`\n${value}`}
      </textarea>
    </div>
  );
}

interface LocateSectionProps {
  texts: PageTexts['form'];
  /** Whether the map can show the streets near the pickup point. */
  hasStreets: boolean;
}

/** The parts that need scripts: buttons, their help, the map. */
function LocateSection({ texts, hasStreets }: LocateSectionProps) {
  return (
    <section id="here" hidden>
      <button type="button" id="locate" class="button">
        <PinIcon />
        <span id="locate-text">{texts.locate}</span>
      </button>
      <p class="hint" id="locate-hint">
        {texts.locateHint}
      </p>
      {hasStreets && (
        <button type="button" id="choose" class="button quiet">
          {texts.choose}
        </button>
      )}
      <div id="help" class="alert" role="alert" hidden />
      <p id="status" class="status" role="status" />
      <div id="place" hidden>
        <div id="map" class="map" role="group" aria-label={texts.map} hidden />
        <p class="hint map-note" id="map-note" role="status" />
        <p class="hint" id="map-hint" />
        <p class="coordinates" id="chosen" hidden>
          <span class="hint">{texts.coordinates}</span> <output id="coordinates" for="lat lng" />
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
function fieldAttributes(name: Field, hintId: string | undefined, error: PageModel['error']) {
  if (error?.field !== name) return { id: name, name, 'aria-describedby': hintId };
  const by = hintId === undefined ? 'error-text' : `${hintId} error-text`;
  return { id: name, name, 'aria-describedby': by, 'aria-invalid': true };
}
