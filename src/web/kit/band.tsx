import type { ComponentChildren } from 'preact';
import { Ago } from './elements.js';
import { Picture } from './pictures.js';
import type { Tone } from '../../guias/guia/tone.js';

interface BandProps {
  tone: Tone;
  title: string;
  /** ISO 8601. */
  since: string;
  /** Why, in sentences; may be empty. */
  reason: string;
  /** IANA time zone. */
  zone: string;
  /** The next step. */
  children?: ComponentChildren;
}

/** Where a guide stands since when, and why: what is seen first on its page. */
export function Band({ tone, title, since, reason, zone, children }: BandProps) {
  return (
    <section class={`band ${tone}`} aria-labelledby="situacion">
      <Picture mood={tone} />
      <div class="grow">
        <h2 id="situacion">{title}</h2>
        <p>
          <Ago at={since} zone={zone} />
          {reason !== '' && ` · ${reason}`}
        </p>
      </div>
      {children}
    </section>
  );
}
