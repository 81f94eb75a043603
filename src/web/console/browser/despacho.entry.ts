import { inFours } from '../../../guias/guia-digits.js';

/** Counts what is chosen, and ticks a scanned guide of the page without loading it again. */
const form = document.querySelector<HTMLFormElement>('[data-seleccion]')!;
const part = (name: string) => form.querySelector<HTMLElement>(`[data-${name}]`)!;
const boxes = () => [...form.querySelectorAll<HTMLInputElement>('[name=guias]')];

function count(): void {
  const chosen = boxes().filter((box) => box.checked).length;
  part('elegidas').textContent = `${chosen}${chosen === 1 ? ' elegida' : ' elegidas'}`;
}

form.addEventListener('change', count);
count();
const scan = form.querySelector<HTMLInputElement>('[data-escanear]')!;
scan.focus();
form.addEventListener('submit', (event) => {
  if (document.activeElement !== scan) return;
  const number = scan.value.replace(/\D/g, '');
  const box = boxes().find(({ value }) => value === number);
  if (number !== '' && !box) return;
  event.preventDefault();
  if (!box) return;
  box.checked = true;
  part('escaneada').textContent = `Elegida: ${inFours(number)}`;
  scan.value = '';
  count();
});
