import { ui } from './state.js';

/** Where a tab keeps what was scanned and left out of its list: a phone reloads pages by itself. Numbers of guides alone. */
const KEY = 'guias-lista';

interface Marks {
  escaneadas: string[];
  fuera: string[];
}

export function keepMarks(): void {
  const { escaneadas, fuera } = ui;
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ escaneadas, fuera }));
  } catch {
    // Without room, a reload ticks all again.
  }
}

export function keptMarks(): Marks {
  try {
    return {
      escaneadas: [],
      fuera: [],
      ...(JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<Marks>),
    };
  } catch {
    return { escaneadas: [], fuera: [] };
  }
}
