import { FINAL_ESTADOS } from '../../guias/guia-estado.js';
import { renderPage } from '../../html/page.js';
import { ConfirmationForm } from './confirmation-form.js';
import { ESTADO_ADVICE, ESTADO_TEXTS } from './estado-texts.js';
import { Contact, Denial, Denied, DENIED, Retraction, SwapAnswers } from './answers.js';
import type { Field, PageError, PageModel } from './page-model.js';
import { CheckIcon, PinIcon, RecipientPage } from './page-layout.js';
import { Progress, Where } from './progress.js';

/** The page in the state that the model describes: open, with an error, just confirmed, or telling how it goes. */
export function renderConfirmationPage(model: PageModel): string {
  return renderPage(<ConfirmationPage {...model} />);
}

function ConfirmationPage(model: PageModel) {
  const { comercio, estado, isOpen, isDenied, confirmed, destino, error } = model;
  const denies = isDenied && error === null;
  const isAnswered = error === null && confirmed !== null && !denies;
  const asks = isOpen && !isAnswered && !denies;
  const tells = !asks && !denies;
  const advice = tells && ESTADO_ADVICE[estado];
  return (
    <RecipientPage title={titleOf(model)} hasScript>
      <header>
        <p class="merchant">
          <PinIcon />
          <bdi>{comercio}</bdi>
        </p>
        {isOpen && isAnswered && <CheckIcon />}
        <h1>{headingOf(model)}</h1>
      </header>
      {error && <Alert error={error} posted={model.posted} />}
      {denies && <Denied {...model} />}
      {isAnswered && <Thanks isOpen={isOpen} isFar={confirmed.isFar} />}
      {advice && <p class="lead">{advice}</p>}
      <Parcel {...model} />
      {asks && <ConfirmationForm {...model} />}
      {tells && <Progress {...model} />}
      {tells && destino && <Where {...model} />}
      {isOpen && isAnswered && <Correction model={model} until={confirmed.correctableUntil} />}
      {isOpen && denies && <Retraction {...model} />}
      <footer>
        <Contact {...model} />
        {!denies && !FINAL_ESTADOS.includes(estado) && <Denial />}
      </footer>
    </RecipientPage>
  );
}

function Parcel({ guia, municipio, contenido, cobro }: PageModel) {
  return (
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
      {contenido !== '' && (
        <div class="wide">
          <dt>Contenido</dt>
          <dd>
            <bdi>{contenido}</bdi>
          </dd>
        </div>
      )}
      {cobro !== null && (
        <div class="wide">
          <dt>Pagas al recibir, en efectivo</dt>
          <dd>{cobro}</dd>
        </div>
      )}
    </dl>
  );
}

function titleOf(model: PageModel): string {
  if (model.error) return 'Error: Confirma dónde entregar';
  if (model.isDenied) return DENIED;
  if (!model.isOpen) return ESTADO_TEXTS[model.estado].title;
  return model.confirmed ? 'Listo: ubicación confirmada' : 'Confirma dónde entregar';
}

function headingOf({ estado, isOpen, isDenied, confirmed, error }: PageModel): string {
  if (isDenied && !error) return DENIED;
  if (!isOpen) return ESTADO_TEXTS[estado].title;
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

function Alert({ error, posted }: { error: PageError; posted: PageModel['posted'] }) {
  const { text, field, swapped, isPossible } = error;
  return (
    <div class="alert" role="alert" id="error" tabindex={-1} autofocus>
      <p id="error-text">{text}</p>
      {field && <a href={`#${field}`}>{LINK_TO_FIELD[field]}</a>}
      {swapped && <SwapAnswers swapped={swapped} posted={posted} isPossible={isPossible} />}
    </div>
  );
}

function Thanks({ isOpen, isFar }: { isOpen: boolean; isFar: boolean }) {
  if (!isOpen) return <p>Ya confirmaste dónde entregar.</p>;
  return (
    <>
      <p class="lead">
        Guardamos la ubicación de entrega.
        {!isFar && ' Ya puedes cerrar esta página; ábrela de nuevo para ver cómo va tu paquete.'}
      </p>
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
