import { Scans } from './scans.js';

/** Counts what is chosen, and takes scanned labels without loading the page. */
const form = document.querySelector<HTMLFormElement>('[data-seleccion]')!;
const count = form.querySelector<HTMLElement>('[data-elegidas]')!;

function showCount(): void {
  const boxes = form.querySelectorAll<HTMLInputElement>('[name=guias]:checked');
  const chosen = new Set([...boxes].map(({ value }) => value)).size;
  count.textContent = `${chosen}${chosen === 1 ? ' elegida' : ' elegidas'}`;
}

form.addEventListener('change', showCount);
showCount();
new Scans(form, showCount).listen();
