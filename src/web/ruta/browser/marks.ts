import { ui } from './state.js';

/** Where a tab keeps what was scanned and left out of its list: a phone reloads pages by itself. Numbers of guides alone. */
const KEY = 'guias-lista';

export function keepMarks(): void {
  const { escaneadas, fuera } = ui;
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ escaneadas, fuera }));
  } catch {
    // Without room, a reload ticks all again.
  }
}

export function keptMarks(): { escaneadas?: string[]; fuera?: string[] } {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as object;
  } catch {
    return {};
  }
}
