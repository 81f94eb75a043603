import type { ComponentChildren } from 'preact';
import { Picture } from '../../html/pictures.js';
import { Ago } from '../../html/elements.js';
import type { Situation } from './situation.js';

/** What is the matter with the guide since when, why, and what to do: what is seen first. */
export function GuiaBand({
  situation,
  zone,
  children,
}: {
  situation: Situation;
  zone: string;
  children: ComponentChildren;
}) {
  const { tone, title, since, reason } = situation;
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
