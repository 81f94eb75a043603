import { offerCopies } from '../../kit/browser/copy.js';

offerCopies();

/** Shows the current part of the panel, where the screen is too narrow for all. Not `scrollIntoView`, which moves the page, too. */
const current = document.querySelector<HTMLElement>('.top .tabs [aria-current]');
const parts = current?.parentElement;
if (current && parts)
  parts.scrollLeft = current.offsetLeft - parts.offsetLeft - (parts.clientWidth - current.offsetWidth) / 2;

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
    main.querySelector('h1')?.after(notice);
    notice.scrollIntoView({ block: 'center' });
  });
}
