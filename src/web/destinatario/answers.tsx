import { chatLink } from '../../platform/validation/phone.js';
import { ACCEPTED, AS_TYPED, MAX_NOTA } from '../../confirmations/dto/confirmar.dto.js';
import { ConfirmationForm, TextField } from './confirmation-form.js';
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

interface AnswerProps {
  name: 'niega' | 'baja';
  texts: Record<'open' | 'text' | 'confirm', string>;
}

/** An answer by one button, which is behind a summary, so that it asks once, also without scripts. */
export const Answer = ({ name, texts: { open, text, confirm } }: AnswerProps) => (
  <details class="denial">
    <summary>{open}</summary>
    <p>{text}</p>
    <form method="post">
      <button type="submit" name={name} value="si" class="button quiet">
        {confirm}
      </button>
    </form>
  </details>
);

/** For a recipient whose parcel is said to be delivered. */
export function NotReceived({ texts: { notReceived }, error, posted }: PageModel) {
  const isRefused = error?.field === 'texto';
  return (
    <details class="denial" open={isRefused}>
      <summary>{notReceived.open}</summary>
      <form method="post">
        <p>{notReceived.text}</p>
        <TextField
          name="texto"
          label={notReceived.label}
          value={(isRefused && posted.texto) || ''}
          error={error}
          rows={3}
          maxlength={MAX_NOTA}
        />
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

/** To correct the place; or, for who denied by mistake: a confirmation takes the denial back. */
export const FoldedForm = ({ fold, ...model }: PageModel & { fold: Record<'open' | 'hint', string> }) => (
  <details class="correction">
    <summary class="button quiet">{fold.open}</summary>
    <p class="hint">{fold.hint}</p>
    <ConfirmationForm {...model} />
  </details>
);

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
