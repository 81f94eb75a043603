/** Gives each field that is to be copied a button. */
export function offerCopies(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>('[data-copy]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'btn';
    button.textContent = 'Copiar';
    button.addEventListener('click', () => {
      field.select();
      void copied(field.value).then((isCopied) => {
        if (isCopied) button.textContent = 'Copiado';
      });
    });
    field.closest('label')?.after(button);
  }
}

/** Over plain http there is no clipboard, and a browser may refuse it: then the selected text is copied. */
async function copied(text: string): Promise<boolean> {
  const { clipboard } = navigator as { clipboard?: Clipboard };
  try {
    if (clipboard === undefined) return document.execCommand('copy');
    await clipboard.writeText(text);
    return true;
  } catch {
    return document.execCommand('copy');
  }
}
