import { offerCopies } from '../../kit/browser/copy.js';

/** Of every page of the console: `/` leads to the search, except where it is typed. */
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if ((event.target as Element).closest('input, textarea, select, [contenteditable]')) return;
  event.preventDefault();
  document.querySelector<HTMLInputElement>('.search input')?.select();
});
offerCopies();
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-imprimir]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}
