import type { Coordinates } from '../../locations/reading.js';
import { AS_TYPED } from '../dto/confirmar.dto.js';
import { ConfirmationForm } from './confirmation-form.js';
import type { PageModel } from './page-model.js';

/** Opens a chat with the merchant. */
export function Contact({ texts, contacto }: PageModel) {
  if (contacto === null) return null;
  return (
    <a
      class="button quiet"
      href={`https://wa.me/${contacto.replace('+', '')}`}
      rel="noopener noreferrer"
      referrerpolicy="no-referrer"
    >
      <ChatIcon />
      {texts.contact}
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

export function Denied({ texts: { denied }, takesAnswers }: PageModel) {
  return <p class="lead">{takesAnswers ? denied.text : `${denied.text} ${denied.mistake}`}</p>;
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

interface MeantAnswersProps {
  texts: PageModel['texts'];
  meant: Coordinates;
  posted: PageModel['posted'];
  isPossible?: boolean;
}

/** The two answers to the question whether another point is meant. */
export function MeantAnswers({ texts, meant, posted, isPossible = false }: MeantAnswersProps) {
  const { maps_url, lat, lng, referencia } = posted;
  const point = { lat: String(meant.lat), lng: String(meant.lng) };
  return (
    <>
      <form method="post">
        <Hidden values={{ ...point, referencia }} />
        <button type="submit" class="button">
          {texts.swapped.yes(point.lat, point.lng)}
        </button>
      </form>
      {isPossible && (
        <form method="post">
          <Hidden values={{ maps_url, lat, lng, referencia, [AS_TYPED]: 'si' }} />
          <button type="submit" class="button quiet">
            {texts.swapped.no}
          </button>
        </form>
      )}
    </>
  );
}

function Hidden({ values }: { values: Record<string, string | undefined> }) {
  return Object.entries(values).map(([name, value]) => <input type="hidden" name={name} value={value} />);
}

function ChatIcon() {
  return (
    <svg class="icon" width="24" height="24" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M12 3a9 9 0 0 0-7.7 13.6L3 21l4.5-1.2A9 9 0 1 0 12 3Zm-3.5 8a1.2 1.2 0 1 1 0 2.4 1.2 1.2 0 0 1 0-2.4Zm3.5 0a1.2 1.2 0 1 1 0 2.4 1.2 1.2 0 0 1 0-2.4Zm3.5 0a1.2 1.2 0 1 1 0 2.4 1.2 1.2 0 0 1 0-2.4Z" />
    </svg>
  );
}
