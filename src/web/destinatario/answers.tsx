import { chatLink } from '../../platform/validation/phone.js';
import { ACCEPTED, AS_TYPED, MAX_NOTA } from '../../confirmations/dto/confirmar.dto.js';
import { ConfirmationForm } from './confirmation-form.js';
import type { PageError, PageModel } from './page-model.js';

/** Opens a chat with the merchant. */
export function Contact({ texts, contacto, comercio }: PageModel) {
  if (contacto === null) return null;
  return (
    <a class="button wa" href={chatLink(contacto)} rel="noopener noreferrer" referrerpolicy="no-referrer">
      <ChatIcon />
      <bdi>{texts.contact(comercio)}</bdi>
    </a>
  );
}

/** The button is behind a summary, so that it asks once, also without scripts. */
export function Denial({ texts: { denial } }: PageModel) {
  return (
    <details class="denial">
      <summary>{denial.open}</summary>
      <p>{denial.text}</p>
      <form method="post">
        <button type="submit" name="niega" value="si" class="button quiet">
          {denial.confirm}
        </button>
      </form>
    </details>
  );
}

/** Asks once before no message of anybody is sent to the number any more. */
export function OptOut({ texts: { optOut } }: PageModel) {
  return (
    <details class="denial">
      <summary>{optOut.open}</summary>
      <p>{optOut.text}</p>
      <form method="post">
        <button type="submit" name="baja" value="si" class="button quiet">
          {optOut.confirm}
        </button>
      </form>
    </details>
  );
}

/** For a recipient whose parcel is said to be delivered. */
export function NotReceived({ texts: { notReceived }, error, posted }: PageModel) {
  const isRefused = error?.field === 'texto';
  return (
    <details class="denial" open={isRefused}>
      <summary>{notReceived.open}</summary>
      <form method="post">
        <p>{notReceived.text}</p>
        <div class="field">
          <label for="texto">{notReceived.label}</label>
          <textarea
            id="texto"
            name="texto"
            rows={3}
            maxlength={MAX_NOTA}
            autocomplete="off"
            aria-invalid={isRefused || undefined}
            aria-describedby={isRefused ? 'error-text' : undefined}
          >
            {`\n${(isRefused && posted.texto) || ''}`}
          </textarea>
        </div>
        <button type="submit" name="no_recibi" value="si" class="button quiet">
          {notReceived.confirm}
        </button>
      </form>
    </details>
  );
}

export function Denied({ texts: { denied }, takesAnswers, contacto }: PageModel) {
  const hasAdvice = !takesAnswers && contacto !== null;
  return <p class="lead">{hasAdvice ? `${denied.text} ${denied.mistake}` : denied.text}</p>;
}

/** For a recipient who denied by mistake: a confirmation takes the denial back. */
export function Retraction(model: PageModel) {
  const { retraction } = model.texts;
  return (
    <details class="correction">
      <summary class="button quiet">{retraction.open}</summary>
      <p class="hint">{retraction.hint}</p>
      <ConfirmationForm {...model} />
    </details>
  );
}

interface MeantAnswersProps extends Pick<PageError, 'meant' | 'isPossible' | 'asks'> {
  texts: PageModel['texts'];
  posted: PageModel['posted'];
  version: string;
}

/**
 * The answers to the question about a place: another point is meant, or it is right as it is. Each sends what was answered
 * before, so that nothing is asked twice.
 */
export function MeantAnswers({ texts, meant, posted, isPossible = false, asks, version }: MeantAnswersProps) {
  const { maps_url, lat, lng, referencia, nota, precision_m, precision_aceptada } = posted;
  const point = meant && { lat: String(meant.lat), lng: String(meant.lng) };
  const said = { referencia, nota, precision_m, precision_aceptada, version: posted.version };
  const answer =
    asks === 'change' ? { version } : asks === 'precision' ? { precision_aceptada: ACCEPTED } : undefined;
  return (
    <>
      {point && (
        <form method="post">
          <Hidden values={{ ...said, ...point, [AS_TYPED]: ACCEPTED }} />
          <button type="submit" class="button">
            {texts.swapped.yes(point.lat, point.lng)}
          </button>
        </form>
      )}
      {isPossible && (
        <form method="post">
          <Hidden values={{ maps_url, lat, lng, ...said, ...answer, [AS_TYPED]: ACCEPTED }} />
          <button type="submit" class="button quiet">
            {point ? texts.swapped.no : asks === undefined ? texts.far.yes : texts[asks].yes}
          </button>
        </form>
      )}
      {asks === 'change' && (
        <a class="button quiet" href="">
          {texts.change.no}
        </a>
      )}
    </>
  );
}

function Hidden({ values }: { values: Record<string, string | undefined> }) {
  return Object.entries(values).map(
    ([name, value]) => value !== undefined && <input type="hidden" name={name} value={value} />,
  );
}

function ChatIcon() {
  return (
    <svg class="icon" width="24" height="24" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M12 3a9 9 0 0 0-7.7 13.6L3 21l4.5-1.2A9 9 0 1 0 12 3Zm-3.5 8a1.2 1.2 0 1 1 0 2.4 1.2 1.2 0 0 1 0-2.4Zm3.5 0a1.2 1.2 0 1 1 0 2.4 1.2 1.2 0 0 1 0-2.4Zm3.5 0a1.2 1.2 0 1 1 0 2.4 1.2 1.2 0 0 1 0-2.4Z" />
    </svg>
  );
}
