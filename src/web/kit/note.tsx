import type { ComponentChildren } from 'preact';
import type { Tone } from '../../guias/guia/tone.js';
import { Icon, type IconName } from './icon.js';

const ICONS: Partial<Record<Tone, IconName>> = { good: 'check', care: 'alert', bad: 'alert' };

interface NoteProps {
  tone?: Tone;
  /** `alert` for what a form is refused for, `status` for what was done. */
  role?: 'alert' | 'status';
  icon?: IconName;
  /** Whether it has the focus when the page opens, with scripts or without. */
  hasFocus?: boolean;
  children: ComponentChildren;
}

/** A sentence apart from the others: what was done, what is to be looked at. */
export function Note({ tone = 'good', role, icon = ICONS[tone] ?? 'note', hasFocus, children }: NoteProps) {
  return (
    <div class={`note ${tone}`} {...(hasFocus && { tabIndex: -1, autofocus: true })} role={role}>
      <Icon name={icon} />
      <div class="grow">{children}</div>
    </div>
  );
}
