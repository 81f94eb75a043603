import { hash } from 'node:crypto';

/** Counts what is chosen, and ticks a scanned guide of the page without loading it again. */
export const DISPATCH_SCRIPT = `const form = document.querySelector('[data-seleccion]');
const boxes = () => [...form.querySelectorAll('[name=guias]')];
const count = () => {
  const chosen = boxes().filter((box) => box.checked).length;
  form.querySelector('[data-elegidas]').textContent = chosen + (chosen === 1 ? ' elegida' : ' elegidas');
};
form.addEventListener('change', count);
count();
const scan = form.querySelector('[data-escanear]');
scan.focus();
form.addEventListener('submit', (event) => {
  if (document.activeElement !== scan) return;
  const number = scan.value.replace(/\\D/g, '');
  const box = boxes().find(({ value }) => value === number);
  if (number !== '' && !box) return;
  event.preventDefault();
  if (!box) return;
  box.checked = true;
  form.querySelector('[data-escaneada]').textContent = 'Elegida: ' + number.replace(/(\\d{4})(?=\\d)/g, '$1 ');
  scan.value = '';
  count();
});
`;

export const DISPATCH_SCRIPT_PATH = `/admin/despacho.js?v=${hash('sha256', DISPATCH_SCRIPT).slice(0, 12)}`;
