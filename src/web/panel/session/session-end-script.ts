/**
 * Holds back a form whose session has ended while it was filled: sent, it would lead to the sign-in page, without what was typed.
 * Sent again, it goes, because its sender may have signed in elsewhere.
 */
export const SESSION_END_SCRIPT = `const main = document.querySelector('[data-quedan]');
if (main) {
  const end = Date.now() + Number(main.dataset.quedan) * 1000;
  let isTold = false;
  main.addEventListener('submit', (event) => {
    if (isTold || Date.now() < end) return;
    event.preventDefault();
    isTold = true;
    const notice = document.createElement('p');
    notice.className = 'notice bad';
    notice.setAttribute('role', 'alert');
    notice.innerHTML = 'Su sesión terminó, y no se envió nada. <a href="/panel" target="_blank">Entre en otra pestaña</a>, vuelva a esta y envíelo otra vez: lo que escribió sigue aquí.';
    main.querySelector('h1').after(notice);
    notice.scrollIntoView({ block: 'center' });
  });
}
`;
