/* What a form of staff or merchants is made of: `Ask` asks first, `Press` acts at once, `PostForm` has its own fields. */
import type { ComponentChildren, ComponentProps } from 'preact';
import { v7 } from 'uuid';
import { Icon, type IconName } from './icon.js';

/** A posted form with its key (`clave`): sent twice, it acts once. */
export function PostForm({ children, ...form }: ComponentProps<'form'>) {
  return (
    <form method="post" {...form}>
      <input type="hidden" name="clave" value={v7()} />
      {children}
    </form>
  );
}

type HiddenFields = Record<string, string | number | readonly string[] | null | undefined>;

/** Fields of a form that nobody sees; one without a value is left out, one with several is repeated. */
export function Hidden({ fields }: { fields: HiddenFields }) {
  return Object.entries(fields).map(([name, value]) =>
    [value ?? []].flat().map((one) => <input type="hidden" name={name} value={one} />),
  );
}

interface PressProps {
  /** Path that its form is posted to. */
  action: string;
  fields?: HiddenFields;
  /** Classes beside `btn`. */
  look?: string | false;
  icon?: IconName | false;
  children: ComponentChildren;
}

/** A button that acts at once. */
export function Press({ action, fields = {}, look, icon, children }: PressProps) {
  return (
    <PostForm action={action}>
      <Hidden fields={fields} />
      <button type="submit" class={look ? `btn ${look}` : 'btn'}>
        {icon && <Icon name={icon} />}
        {children}
      </button>
    </PostForm>
  );
}

interface AskProps {
  /** Of the button that asks. */
  label: string;
  /** Of the button that does it. */
  confirm: string;
  /** Path that the form is posted to. */
  action: string;
  /** Whether it is shown open: after a refusal, with what was typed. */
  isOpen?: boolean;
  /** Whether it is the page's most sensible action. */
  isMain?: boolean;
  icon?: IconName;
  /** Of those of a group, one is open at a time. */
  group?: string;
  /** Whether it takes something away for good. */
  isRisk?: boolean;
  /** The effect of the action, and its fields. */
  children: ComponentChildren;
}

/** A button that asks before it acts; works without scripts. */
export function Ask(props: AskProps) {
  const { label, confirm, action, isOpen = false, isMain, icon, group, isRisk, children } = props;
  const look = isMain ? 'btn main' : isRisk ? 'btn risk' : 'btn';
  return (
    <details class="fold" open={isOpen} name={group}>
      <summary class={look}>
        {icon && <Icon name={icon} />}
        {label}
      </summary>
      <PostForm action={action}>
        {children}
        <button type="submit" class={look}>
          {confirm}
        </button>
      </PostForm>
    </details>
  );
}
