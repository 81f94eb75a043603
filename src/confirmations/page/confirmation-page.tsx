import { renderPage } from '../../html/page.js';
import { ConfirmationForm } from './confirmation-form.js';
import type { Field, PageError, PageModel } from './page-model.js';
import { CheckIcon, PinIcon, RecipientPage } from './page-layout.js';

/** The page in the state that the model describes: open, with an error, or confirmed. */
export function renderConfirmationPage(model: PageModel): string {
  return renderPage(<ConfirmationPage {...model} />);
}

function ConfirmationPage(model: PageModel) {
  const { comercio, guia, municipio, confirmed, error } = model;
  const done = error === null ? confirmed : null;
  return (
    <RecipientPage title={titleOf(model)} hasScript>
      <header>
        <p class="merchant">
          <PinIcon />
          <bdi>{comercio}</bdi>
        </p>
        {done && <CheckIcon />}
        <h1>{headingOf(model)}</h1>
      </header>
      {error && <Alert {...error} />}
      {done && <Thanks isFar={done.isFar} />}
      <dl class="label">
        <div>
          <dt>Guía</dt>
          <dd class="number">{guia}</dd>
        </div>
        <div>
          <dt>Municipio</dt>
          <dd>
            <bdi>{municipio}</bdi>
          </dd>
        </div>
      </dl>
      {done ? <Correction model={model} until={done.correctableUntil} /> : <ConfirmationForm {...model} />}
    </RecipientPage>
  );
}

function titleOf({ confirmed, error }: PageModel): string {
  if (error) return 'Error: Confirma dónde entregar';
  return confirmed ? 'Listo: ubicación confirmada' : 'Confirma dónde entregar';
}

function headingOf({ confirmed, error }: PageModel): string {
  if (!confirmed) return '¿Dónde entregamos tu paquete?';
  return error ? 'Corrige la ubicación' : 'Listo, gracias';
}

/** Text of the link from an error to its field. */
const LINK_TO_FIELD: Record<Field, string> = {
  maps_url: 'Corregir el enlace',
  lat: 'Corregir la latitud',
  lng: 'Corregir la longitud',
  referencia: 'Corregir la referencia',
};

function Alert({ text, field }: PageError) {
  return (
    <div class="alert" role="alert" id="error" tabindex={-1} autofocus>
      <p id="error-text">{text}</p>
      {field && <a href={`#${field}`}>{LINK_TO_FIELD[field]}</a>}
    </div>
  );
}

function Thanks({ isFar }: { isFar: boolean }) {
  return (
    <>
      <p class="lead">Guardamos la ubicación de entrega.{!isFar && ' Ya puedes cerrar esta página.'}</p>
      {isFar && (
        <p class="alert" role="alert">
          Ese punto queda lejos del país del envío. Si falta un signo o no es tu ubicación, corrígela abajo.
        </p>
      )}
    </>
  );
}

/** `page.js` replaces the sentence in `<time>` with the hour by the phone's clock. */
function Correction({ model, until }: { model: PageModel; until: string }) {
  return (
    <>
      <p>
        Puedes corregirla{' '}
        <time datetime={until} id="until">
          durante los 15 minutos que siguen a tu confirmación
        </time>{' '}
        si algo no quedó bien.
      </p>
      <details class="correction">
        <summary class="button quiet">Corregir la ubicación</summary>
        <p class="hint">La ubicación que enviaste sigue guardada hasta que confirmes otra.</p>
        <ConfirmationForm {...model} />
      </details>
    </>
  );
}
