/** Gives each field that is to be copied a button; part of the scripts of pages. */
export const COPY_SCRIPT = `for (const field of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copiar';
  button.addEventListener('click', () => {
    field.select();
    // Over plain http there is no clipboard, and a browser may refuse it.
    const copied = navigator.clipboard?.writeText(field.value) ?? Promise.reject(new Error('no clipboard'));
    copied.catch(() => document.execCommand('copy') || Promise.reject(new Error('refused'))).then(() => {
      button.textContent = 'Copiado';
    }, () => undefined);
  });
  field.closest('label').after(button);
}
`;
