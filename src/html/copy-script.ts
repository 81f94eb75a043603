/** Gives each field that is to be copied a button; part of the scripts of pages. */
export const COPY_SCRIPT = `for (const field of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copiar';
  button.addEventListener('click', () => {
    field.select();
    // Over plain http there is no clipboard.
    Promise.resolve(navigator.clipboard?.writeText(field.value) ?? document.execCommand('copy')).then(() => {
      button.textContent = 'Copiado';
    }, () => undefined);
  });
  field.closest('label').after(button);
}
`;
