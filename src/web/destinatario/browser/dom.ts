import type { PageTexts } from '../texts.js';

type Texts = PageTexts['script'] & { lang: string };

/** Texts of the page, in its language. */
export const TEXTS = JSON.parse((document.currentScript as HTMLScriptElement).dataset.texts!) as Texts;

/** An element that the page has; null of one that it has only sometimes. */
export const find = (id: string) => document.getElementById(id);
export const byId = (id: string) => document.getElementById(id)!;

export const detailsOf = (id: string) => document.getElementById(id) as HTMLDetailsElement | null;

export function element(name: string, text = ''): HTMLElement {
  return Object.assign(document.createElement(name), { textContent: text });
}

/** A text with its placeholders, like "{hour}", replaced. */
export function fill(text: string, parts: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? '');
}

/** A length in rounded words; below 100 m in steps of `step` metres. */
export function metres(length: number, step: number): string {
  if (length >= 1000) return `${Math.round(length / 1000)} km`;
  const unit = length >= 100 ? 10 : step;
  return `${Math.max(unit, Math.round(length / unit) * unit)} m`;
}

/** Degrees as people type them, with a point or a comma; null for anything else. */
export function toDegrees(text: string, limit: number): number | null {
  const plain = text.trim().replace(',', '.').replace('\u2212', '-');
  const degrees = /^[+-]?\d+(\.\d+)?$/.test(plain) ? Number(plain) : NaN;
  return Math.abs(degrees) <= limit ? degrees : null;
}

export function say(text: string, warn = false): void {
  byId('status').textContent = text;
  byId('status').classList.toggle('warn', warn);
}

export const isBusy = (id: string) => byId(id).getAttribute('aria-disabled') === 'true';

export function setBusy(id: string, busy: boolean): void {
  byId(id).setAttribute('aria-disabled', String(busy));
}
