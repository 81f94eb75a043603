/** The form's field that says, by the script, that its page was reached by the way back. */
export const REGRESO = 'regreso';

/**
 * Shows the point of a pasted link before the form is sent, suggests the municipalities of a chosen department, and says whether
 * the page was reached by the way back: then it is a new form with what was typed in one that may have been sent.
 */
export const NUEVA_SCRIPT = `const form = document.querySelector('form.stack');
if (performance.getEntriesByType('navigation')[0]?.type === 'back_forward') form.elements.${REGRESO}.value = 'si';
const [link, department] = ['maps_url', 'departamento'].map((name) => form.elements[name]);
const send = (path, name, value) => fetch('/panel/guias/nueva/' + path, {
  method: 'POST', body: new URLSearchParams({ [name]: value }),
});
link.addEventListener('input', () => {
  const value = link.value;
  setTimeout(async () => {
    if (value !== link.value) return;
    const answer = value.trim() === '' ? undefined : await send('punto', 'maps_url', value).catch(() => undefined);
    if (value === link.value) document.querySelector('[data-point]').innerHTML = answer?.ok ? await answer.text() : '';
  }, 400);
});
department.addEventListener('change', async () => {
  const answer = await send('municipios', 'departamento', department.value).catch(() => undefined);
  if (!answer?.ok) return;
  const names = await answer.json();
  document.getElementById('municipios').replaceChildren(...names.map((value) => Object.assign(document.createElement('option'), { value })));
});
`;
