import { ESTADOS, FINAL_ESTADOS } from '../../guias/guia/guia-estado.js';
import { inFours } from '../../guias/guia/guia-digits.js';
import { initialsOf } from '../kit/initials.js';
import { renderPage } from '../kit/page.js';
import { Answer, Contact, Denied, MeantAnswers, NotReceived, FoldedForm } from './answers.js';
import { ConfirmationForm, NoteField } from './confirmation-form.js';
import { IDIOMA } from './languages.js';
import { RecipientPage } from './page-layout.js';
import type { PageError, PageModel } from './page-model.js';
import { Picture } from '../kit/pictures.js';
import type { Tone } from '../../guias/guia/tone.js';
import { History, LocalTime, Steps, Where } from './progress.js';

/** The page in the state of the model: asking, asking again, with an error, confirmed, denied, or telling how it goes. */
export function renderConfirmationPage(model: PageModel): string {
  return renderPage(<ConfirmationPage {...model} />);
}

/** Purpose of the page: its parts follow from it. */
type View = 'denied' | 'asks' | 'asksAgain' | 'thanks' | 'tells';

function viewOf(model: PageModel): View {
  const { takesAnswers, isDenied, isKnown, isConfirmed, asksAgain, error } = model;
  if (isDenied && error === null) return 'denied';
  if (takesAnswers && (error !== null || !isKnown)) return asksAgain ? 'asksAgain' : 'asks';
  if (asksAgain) return 'asksAgain';
  return takesAnswers && (isConfirmed || model.nota !== '') ? 'thanks' : 'tells';
}

function ConfirmationPage(model: PageModel) {
  const { texts, comercio, estado, takesAnswers, isKnown, destino, error } = model;
  const view = viewOf(model);
  const isAsking = view === 'asks' || view === 'asksAgain';
  const isDenied = view === 'denied';
  const isTelling = !isAsking && !isDenied;
  return (
    <RecipientPage
      title={titleOf(model, view)}
      texts={texts}
      preview={takesAnswers ? texts.preview.asks : texts.preview.tells}
      hasScript
    >
      {model.isTest && <p class="test">{texts.isTest}</p>}
      <header class="merchant">
        <span class="disc" aria-hidden="true">
          {initialsOf(comercio)}
        </span>
        <div>
          <bdi>{comercio}</bdi>
          <span class="hint">{texts.sends}</span>
        </div>
        <a
          class="language"
          href={`?${IDIOMA}=${texts.other.lang}`}
          lang={texts.other.lang}
          hreflang={texts.other.lang}
        >
          {texts.other.name}
        </a>
      </header>
      <Band {...model} view={view} />
      {error && <Alert {...model} error={error} />}
      {isDenied && <Denied {...model} />}
      {model.isOptedOut && <p class="lead">{optedOutText(model)}</p>}
      {view === 'thanks' && <Saved {...model} />}
      {(isAsking || (model.takesNotes && !isDenied)) && (
        <Landmark label={texts.where.note} text={model.nota} />
      )}
      {isAsking && <ConfirmationForm {...model} />}
      {isTelling && <Steps {...model} />}
      <Ticket {...model} view={view} />
      {isTelling && destino && <Where {...model} hasLandmark={view === 'tells'} />}
      {isTelling && <Changes {...model} view={view} />}
      {model.takesNotes && !isDenied && <NoteOnTheWay {...model} />}
      {takesAnswers && isKnown && isTelling && <FoldedForm {...model} fold={texts.correction} />}
      {takesAnswers && isDenied && <FoldedForm {...model} fold={texts.retraction} />}
      <footer>
        {model.canReport && !isDenied && <NotReceived {...model} />}
        <Contact {...model} />
        {isAsking && <p class="hint">{texts.form.safe}</p>}
        {isTelling && <History {...model} />}
        {!isDenied && !FINAL_ESTADOS.includes(estado) && <Answer name="niega" texts={texts.denial} />}
        {!model.isOptedOut && !model.isTest && <Answer name="baja" texts={texts.optOut} />}
        <p class="hint">
          {texts.parcel.guia} <span class="number">{inFours(model.guia)}</span>
        </p>
      </footer>
    </RecipientPage>
  );
}

/** That nobody writes to the number any more, and how that ends. */
const optedOutText = ({ texts: { optOut }, hasChat }: PageModel) =>
  `${optOut.done} ${hasChat ? optOut.backInChat : optOut.back}`;

type ViewProps = PageModel & { view: View };

/** The event, its reason, and the advice. */
function Band(model: ViewProps) {
  const { texts, view, isKnown, estado, error } = model;
  const mood: Tone =
    view === 'asks' && !isKnown
      ? 'ask'
      : view === 'thanks' && isFresh(model)
        ? confirmedMood(model)
        : model.isReported
          ? 'care'
          : ESTADOS[estado].tone;
  const at = model.pasos.at(-1)?.en;
  const isTelling = view === 'tells' || view === 'asksAgain' || (view === 'thanks' && !isFresh(model));
  return (
    <section class={`band ${mood}`}>
      <Picture mood={mood} />
      <div>
        <h1>{headingOf(model)}</h1>
        {view === 'asks' && !isKnown && <p>{texts.asks.hint}</p>}
        {view === 'asks' && error === null && estado !== 'aceptado' && (
          <p class="lead">{whereabouts(model)}</p>
        )}
        {isTelling && at !== undefined && !model.isReported && (
          <p>
            <LocalTime {...model} at={at} />
          </p>
        )}
        {isTelling && advice(model) !== '' && <p class="lead">{advice(model)}</p>}
      </div>
    </section>
  );
}

/** A place abroad was asked about, and is no success yet. */
const confirmedMood = ({ isFar }: PageModel): Tone => (isFar ? 'care' : 'good');

/** Whether a confirmed parcel has not left the merchant yet: the confirmation is the news. */
const isFresh = ({ estado, isConfirmed, pasos: all }: PageModel) =>
  isConfirmed &&
  ESTADOS[estado].isOpen &&
  !all.some((paso) => ['en_ruta', 'intento_fallido'].includes(paso.estado));

/** Whether the parcel is back at the depot without an attempt. */
const isAnotherDay = ({ estado, pasos: all }: PageModel) =>
  estado === 'recogido' && all.at(-2)?.estado === 'en_ruta';

function stateTitle(model: PageModel): string {
  const { texts, estado } = model;
  if (model.isReported) return texts.notReceived.title;
  return isAnotherDay(model) ? texts.anotherDay.title : texts.estados[estado].title;
}

function titleOf(model: PageModel, view: View): string {
  const { texts, error } = model;
  if (error) return texts.fault.title;
  if (view === 'denied') return texts.denied.title;
  if (view === 'asks') return texts.asks.title;
  return view === 'thanks' && isFresh(model) ? texts.confirmed.title : stateTitle(model);
}

/** After a failed attempt the heading is its reason. */
const failureHeading = (model: PageModel) =>
  model.estado === 'intento_fallido' ? failureOf(model)?.why.replace(/\.$/, '') : undefined;

function headingOf(model: ViewProps): string {
  const { texts, view, isKnown } = model;
  if (view === 'denied') return texts.denied.title;
  if (view === 'asks') return isKnown ? texts.fault.heading : texts.asks.heading;
  return view === 'thanks' && isFresh(model)
    ? texts.confirmed.heading
    : (failureHeading(model) ?? stateTitle(model));
}

/** Why the parcel was not delivered the last time; undefined if nobody said why. */
function failureOf({ texts, pasos: all }: PageModel) {
  const motivo = all.at(-1)?.motivo;
  return motivo ? texts.motivos[motivo] : undefined;
}

const joined = (...sentences: (string | undefined | false)[]) => sentences.filter(Boolean).join(' ');

/** Where the parcel is, below a question about something else. */
function whereabouts(model: PageModel): string {
  return joined(`${stateTitle(model)}.`, failureOf(model)?.why);
}

/** What to do after the last attempt, and why it failed where the heading does not say it; the merchant is named only where it gave a phone. */
function advice(model: PageModel): string {
  const { texts, estado, contacto, takesAnswers } = model;
  if (model.isReported) return texts.notReceived.done;
  const failure = failureOf(model);
  const why = isAnotherDay(model) ? texts.anotherDay.why : estado !== 'intento_fallido' && failure?.why;
  const own = failure?.advice ?? failure?.reply;
  const { advice: always, reply, ask } = own === undefined ? texts.estados[estado] : failure!;
  const what = always ?? (takesAnswers ? reply : undefined);
  return joined(why, what, contacto !== null && ask);
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

/** The amount, and what is in the parcel. */
function Ticket({ texts: { parcel }, municipio, contenido, cobro, pagado, pago, pin, ...model }: ViewProps) {
  const { estado, view } = model;
  const isDue = cobro !== null && ESTADOS[estado].isOpen && view !== 'denied';
  const amount = isDue ? cobro : pagado;
  const label = !isDue
    ? // Nothing is shown of what was paid to the merchant.
      parcel.paid[pago === null || pago === 'directo' ? 'efectivo' : pago]
    : ['en_ruta', 'intento_fallido'].includes(estado)
      ? parcel.ready
      : parcel.due;
  return (
    <section class="ticket" aria-label={parcel.title}>
      {amount !== null && (
        <p>
          <span class="hint">{label}</span>
          <span class="amount">{amount}</span>
        </p>
      )}
      {pin !== null && (
        <p>
          <b>{parcel.pin}</b>
          <span class="hint">{parcel.pinHint}</span>
          <span data-pin>{pin}</span>
        </p>
      )}
      <div>
        {contenido.length > LONG ? <Long text={contenido} more={parcel.more} /> : <bdi>{contenido}</bdi>}{' '}
        <bdi class="hint">{municipio}</bdi>
      </div>
    </section>
  );
}

type AlertProps = Pick<PageModel, 'texts' | 'posted' | 'version'> & { error: PageError };

function Alert({ texts, error, posted, version }: AlertProps) {
  const { text, field, ...question } = error;
  const isQuestion = question.meant !== undefined || question.isPossible || question.asks !== undefined;
  return (
    <div class={isQuestion ? 'alert question' : 'alert'} role="alert" id="error" tabindex={-1} autofocus>
      <p id="error-text">{text}</p>
      {field && <a href={`#${field}`}>{texts.fault.link[field]}</a>}
      {(question.meant || question.isPossible) && (
        <MeantAnswers texts={texts} posted={posted} version={version} {...question} />
      )}
    </div>
  );
}

/** The saved place, while it can still be corrected. */
function Saved({ texts, isFar, isConfirmed, hasFailed, referencia, nota }: PageModel) {
  return (
    <section>
      <p>{hasFailed || !isConfirmed ? texts.confirmed.told : texts.confirmed.saved}</p>
      {isFar && (
        <p class="alert" role="alert">
          {texts.confirmed.isFar}
        </p>
      )}
      <Landmark label={texts.form.referencia} text={referencia} />
      <Landmark label={texts.where.note} text={nota} />
    </section>
  );
}

function Landmark({ label, text }: { label: string; text: string }) {
  if (text === '') return null;
  return (
    <p class="landmark">
      <span class="hint">{label}</span> <bdi>{text}</bdi>
    </p>
  );
}

/** Whether it was confirmed, and until when the place can be changed, or why it cannot. */
function Changes(model: ViewProps) {
  const { texts, view, takesAnswers, correctableFrom, isConfirmed, isKnown } = model;
  const { correction, confirmed } = texts;
  if (takesAnswers && !isKnown) return null;
  // Else the heading says it.
  const isSaid = isConfirmed && !(view === 'thanks' && isFresh(model));
  const until = takesAnswers
    ? correction.until
    : correctableFrom === null
      ? whyClosed(model)
      : correction.tooMany;
  return (
    <p class="hint">
      {joined(isSaid && confirmed.before, until)}
      {!takesAnswers && correctableFrom !== null && (
        <>
          {' '}
          <LocalTime {...model} at={correctableFrom} />
        </>
      )}
    </p>
  );
}

function whyClosed({ texts: { closed }, estado, contacto }: PageModel): string {
  if (estado === 'en_devolucion') return closed.returning;
  if (FINAL_ESTADOS.includes(estado)) return closed.ended;
  return joined(estado === 'en_ruta' ? closed.onItsWay : closed.expired, contacto !== null && closed.ask);
}

/** A word to the driver, who is on the way. */
function NoteOnTheWay(model: PageModel) {
  const { texts, error, posted } = model;
  return (
    <form method="post">
      <NoteField {...model} hasFailed value={(error && posted.nota) ?? ''} />
      <button type="submit" class="button quiet">
        {texts.form.tell}
      </button>
    </form>
  );
}
