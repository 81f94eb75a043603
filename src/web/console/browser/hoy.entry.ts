/** Reloads the first page every half minute, unless somebody is typing or about to act. */
setInterval(() => {
  const isBusy =
    document.hidden || document.querySelector('details[open]') || document.activeElement?.matches('input');
  if (!isBusy) location.reload();
}, 30_000);
