import type { ComponentChildren } from 'preact';
import type { Tone } from '../../guias/guia/tone.js';

/** A parcel. */
const BOX = (
  <>
    <path class="paper" d="M6 24 30 12l24 12v26L30 62 6 50Z" />
    <path d="m6 24 24 12 24-12M30 36v26M18 18l24 12" />
  </>
);

const ALERT = (
  <>
    <circle class="ink" cx="50" cy="15" r="12" />
    <path class="cut" d="M50 8.5V16M50 21.5v.1" />
  </>
);

const PICTURES: Record<Tone | 'letter', ComponentChildren> = {
  /** An envelope, and a check mark. */
  letter: (
    <>
      <path class="paper" d="M6 20h44v32H6z" />
      <path d="m6 22 22 17 22-17" />
      <circle class="ink" cx="50" cy="18" r="12" />
      <path class="cut" d="m44.5 18.5 4 4 7.5-8.5" />
    </>
  ),
  /** A house, and a pin. */
  ask: (
    <>
      <path class="paper" d="M8 58V34l17-13 17 13v24Z" />
      <path d="M19 58V45h11v13M4 58h56" />
      <path class="ink" d="M47 37c6.5-6.8 10-11.6 10-16.2a10 10 0 0 0-20 0C37 25.4 40.5 30.2 47 37Z" />
      <circle class="paper bare" cx="47" cy="20.5" r="3.5" />
    </>
  ),
  off: BOX,
  /** A motorcycle with a parcel. */
  way: (
    <>
      <path class="paper" d="M6 14h19v17H6z" />
      <path d="M12.5 14v5h6v-5" />
      <circle class="paper" cx="15" cy="48" r="8" />
      <circle class="paper" cx="51" cy="48" r="8" />
      <path d="M23 48h13l9-15.5H12L7 42M45 32.5 51 48M45 32.5 41 19h8M2 57h60" />
    </>
  ),
  /** A parcel, and a check mark. */
  good: (
    <>
      {BOX}
      <circle class="ink" cx="49" cy="15" r="12" />
      <path class="cut" d="m43.5 15.5 4 4 7.5-8.5" />
    </>
  ),
  /** A house, and an exclamation mark. */
  care: (
    <>
      <path class="paper" d="M8 58V30l20-16 20 16v28Z" />
      <path d="M21 58V42h14v16M4 58h48M3 34l25-20 14 11" />
      {ALERT}
    </>
  ),
  bad: (
    <>
      {BOX}
      {ALERT}
    </>
  ),
};

/** The picture of a mood, or of a letter: beside a sentence that says the same. */
export function Picture({ mood }: { mood: Tone | 'letter' }) {
  return (
    <svg class="pic" width="72" height="72" viewBox="0 0 64 64" aria-hidden="true" focusable="false">
      {PICTURES[mood]}
    </svg>
  );
}
