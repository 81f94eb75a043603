import { ESTADOS, FINAL_ESTADOS, INITIAL_ESTADO } from '../../guias/guia-estado.js';
import { renderPage } from '../../html/page.js';
import { ConfirmationForm } from './confirmation-form.js';
import { Contact, Denial, Denied, MeantAnswers, Retraction } from './answers.js';
import type { PageError, PageModel } from './page-model.js';
import { CheckIcon, PinIcon, RecipientPage } from './page-layout.js';
import { Progress, Where } from './progress.js';

/** The page in the state of the model: open, with an error, confirmed, denied, or with the progress of the parcel. */
export function renderConfirmationPage(model: PageModel): string {
  return renderPage(<ConfirmationPage {...model} />);
}

function ConfirmationPage(model: PageModel) {
  const { texts, comercio, estado, takesAnswers, isDenied, confirmed, destino, error } = model;
  const showsDenial = isDenied && error === null;
  const isAnswered = error === null && confirmed !== null && !showsDenial;
  const showsForm = takesAnswers && !isAnswered && !showsDenial;
  const showsProgress = !showsForm && !showsDenial;
  return (
    <RecipientPage
      title={titleOf(model)}
      texts={texts}
      preview={takesAnswers ? texts.preview.asks : texts.preview.tells}
      hasScript
    >
      {model.isTest && <p class="test">{texts.isTest}</p>}
      <header>
        <p class="merchant">
          <PinIcon />
          <bdi>{comercio}</bdi>
        </p>
        {takesAnswers && isAnswered && <CheckIcon />}
        <h1>{headingOf(model)}</h1>
      </header>
      {error && <Alert texts={texts} error={error} posted={model.posted} />}
      {showsDenial && <Denied {...model} />}
      {showsForm && error === null && estado !== INITIAL_ESTADO && <Whereabouts {...model} />}
      {showsProgress && !takesAnswers && <Advice {...model} />}
      {isAnswered && takesAnswers && <Thanks texts={texts} confirmed={confirmed} />}
      {isAnswered && !takesAnswers && <Saved texts={texts} confirmed={confirmed} />}
      <Parcel {...model} cobro={showsDenial ? null : model.cobro} />
      {showsForm && <ConfirmationForm {...model} />}
      {showsProgress && <Progress {...model} />}
      {showsProgress && destino && <Where {...model} />}
      {takesAnswers && isAnswered && <Correction model={model} until={confirmed.correctableUntil} />}
      {takesAnswers && showsDenial && <Retraction {...model} />}
      <footer>
        <Contact {...model} />
        {!showsDenial && !FINAL_ESTADOS.includes(estado) && <Denial {...model} />}
      </footer>
    </RecipientPage>
  );
}

/** Characters; more than fit in two lines of a small phone. */
const LONG = 80;

/** Two lines of a text, all of it after a tap, so that the main button stays on the screen. */
function Long({ text, more }: { text: string; more: string }) {
  return (
    <details class="long">
      <summary>
        <bdi>{text}</bdi> <span class="more">{more}</span>
      </summary>
    </details>
  );
}

function Parcel({ texts: { parcel }, guia, municipio, contenido, cobro, estado }: PageModel) {
  return (
    <dl class="label">
      <div>
        <dt>{parcel.guia}</dt>
        <dd class="number">{guia}</dd>
      </div>
      <div>
        <dt>{parcel.municipio}</dt>
        <dd>
          <bdi>{municipio}</bdi>
        </dd>
      </div>
      {contenido !== '' && (
        <div class="wide">
          <dt>{parcel.contenido}</dt>
          <dd>
            {contenido.length > LONG ? <Long text={contenido} more={parcel.more} /> : <bdi>{contenido}</bdi>}
          </dd>
        </div>
      )}
      {cobro !== null && ESTADOS[estado].isOpen && (
        <div class="wide">
          <dt>{parcel.cobro}</dt>
          <dd class="amount">{cobro}</dd>
        </div>
      )}
    </dl>
  );
}

function titleOf({ texts, estado, takesAnswers, isDenied, confirmed, error }: PageModel): string {
  if (error) return texts.fault.title;
  if (isDenied) return texts.denied.title;
  if (!takesAnswers) return texts.estados[estado].title;
  return confirmed ? texts.confirmed.title : texts.asks.title;
}

function headingOf({ texts, estado, takesAnswers, isDenied, confirmed, error }: PageModel): string {
  if (isDenied && !error) return texts.denied.title;
  if (!takesAnswers) return texts.estados[estado].title;
  if (!confirmed) return texts.asks.heading;
  return error ? texts.fault.heading : texts.confirmed.heading;
}

type AlertProps = Pick<PageModel, 'texts' | 'posted'> & { error: PageError };

function Alert({ texts, error, posted }: AlertProps) {
  const { text, field, meant, isPossible } = error;
  return (
    <div class="alert" role="alert" id="error" tabindex={-1} autofocus>
      <p id="error-text">{text}</p>
      {field && <a href={`#${field}`}>{texts.fault.link[field]}</a>}
      {meant && <MeantAnswers texts={texts} meant={meant} posted={posted} isPossible={isPossible} />}
    </div>
  );
}

/** Why the parcel was not delivered the last time; undefined if nobody said why. */
function failureOf({ texts, pasos }: PageModel) {
  const motivo = pasos.at(-1)?.motivo;
  return motivo ? texts.motivos[motivo] : undefined;
}

/** Where the parcel is, above a question about something else. */
function Whereabouts(model: PageModel) {
  const { texts, estado } = model;
  return <p class="lead">{joined(`${texts.estados[estado].title}.`, failureOf(model)?.why)}</p>;
}

/** Why the last attempt failed, with advice. */
function Advice(model: PageModel) {
  const { texts, estado } = model;
  const failure = failureOf(model);
  const advice = failure?.advice ?? texts.estados[estado].advice;
  return advice === undefined ? null : <p class="lead">{joined(failure?.why, advice)}</p>;
}

const joined = (...sentences: (string | undefined)[]) => sentences.filter(Boolean).join(' ');

type SavedProps = Pick<PageModel, 'texts'> & { confirmed: NonNullable<PageModel['confirmed']> };

function Thanks({ texts, confirmed }: SavedProps) {
  const { saved, mayClose, isFar } = texts.confirmed;
  return (
    <>
      <p class="lead">{confirmed.isFar ? saved : `${saved} ${mayClose}`}</p>
      {confirmed.isFar && (
        <p class="alert" role="alert">
          {isFar}
        </p>
      )}
      <Landmark texts={texts} confirmed={confirmed} />
    </>
  );
}

/** The confirmed place, once it can no longer be corrected. */
function Saved({ texts, confirmed }: SavedProps) {
  return (
    <>
      <p>{texts.confirmed.before}</p>
      <Landmark texts={texts} confirmed={confirmed} />
    </>
  );
}

function Landmark({ texts, confirmed: { referencia } }: SavedProps) {
  if (referencia === '') return null;
  return (
    <p class="landmark">
      <span class="hint">{texts.form.referencia}</span> <bdi>{referencia}</bdi>
    </p>
  );
}

/** `page.js` replaces the sentence in `<time>` with the hour by the phone's clock. */
function Correction({ model, until }: { model: PageModel; until: string }) {
  const { correction } = model.texts;
  return (
    <>
      <p>
        {correction.mayCorrect(
          <time datetime={until} id="until">
            {correction.until}
          </time>,
        )}
      </p>
      <details class="correction">
        <summary class="button quiet">{correction.open}</summary>
        <p class="hint">{correction.hint}</p>
        <ConfirmationForm {...model} />
      </details>
    </>
  );
}
