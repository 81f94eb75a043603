import { offerCopies } from '../../kit/browser/copy.js';

offerCopies();

/** Shows the current tab where the screen is too narrow for all. Not `scrollIntoView`, which moves the page, too. */
for (const current of document.querySelectorAll<HTMLElement>('.tabs [aria-current]')) {
  const tabs = current.parentElement!;
  tabs.scrollLeft = current.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2;
}

/** A box that ticks all of its list, and how many are ticked; the list can do without both. */
const all = document.querySelector<HTMLInputElement>('[data-todas]');
if (all?.form) {
  const boxes = [...all.form.querySelectorAll<HTMLInputElement>('[name=guias]')];
  const count = document.querySelector('[data-elegidas]');
  const show = () => {
    const chosen = boxes.filter(({ checked }) => checked).length;
    all.checked = chosen === boxes.length;
    if (count) count.textContent = chosen === 1 ? '1 elegida' : `${chosen} elegidas`;
    for (const box of boxes) box.closest('tr')?.classList.toggle('on', box.checked);
  };
  all.closest<HTMLElement>('[hidden]')!.hidden = false;
  all.form.addEventListener('change', ({ target }) => {
    if (target === all) for (const box of boxes) box.checked = all.checked;
    show();
  });
  show();
}

/**
 * Holds back a form whose session has ended while it was filled: sent, it would lead to the sign-in page, without what was typed.
 * Sent again, it goes, because its sender may have signed in elsewhere.
 */
const main = document.querySelector<HTMLElement>('[data-quedan]');
if (main) {
  const end = Date.now() + Number(main.dataset.quedan) * 1000;
  let isTold = false;
  main.addEventListener('submit', (event) => {
    if (isTold || Date.now() < end) return;
    event.preventDefault();
    isTold = true;
    const notice = document.createElement('div');
    notice.className = 'note bad';
    notice.setAttribute('role', 'alert');
    const link = Object.assign(document.createElement('a'), {
      href: '/panel',
      target: '_blank',
      textContent: 'Entre en otra pestaña',
    });
    notice.append('Su sesión terminó, y no se envió nada. ', link);
    notice.append(', vuelva a esta y envíelo otra vez: lo que escribió sigue aquí.');
    main.firstElementChild!.after(notice);
    notice.scrollIntoView({ block: 'center' });
  });
}
