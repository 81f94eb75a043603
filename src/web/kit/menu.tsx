import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.js';

interface MenuProps {
  name: string;
  icon: IconName;
  /** On narrow screens alone. */
  look?: 'slim';
  links: readonly (readonly [path: string, name: string, ...rest: unknown[]])[];
  /** Path of the page. */
  current?: string | undefined;
  /** Below the links. */
  children?: ComponentChildren;
}

/** A button of a page's head that opens links. */
export function Menu({ name, icon, look, links, current, children }: MenuProps) {
  return (
    <details class={look ? `menu ${look}` : 'menu'}>
      <summary class={look === 'slim' ? 'btn' : 'btn small'}>
        {look === 'slim' && <Icon name={icon} />}
        {name}
        {look !== 'slim' && <Icon name={icon} />}
      </summary>
      <nav class="card items" aria-label={name}>
        {links.map(([path, text]) => (
          <a class="row" href={path} aria-current={path === current ? 'page' : undefined}>
            {text}
          </a>
        ))}
        {children}
      </nav>
    </details>
  );
}
