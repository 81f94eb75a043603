import { REGRESO } from '../nueva/regreso.js';

/**
 * Shows the point of a pasted link before the form is sent, suggests the municipalities of a chosen department, and says whether
 * the page was reached by the way back: then it is a new form with what was typed in one that may have been sent.
 */
const form = document.querySelector<HTMLFormElement>('#f')!;
const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement;
const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
if (entry?.type === 'back_forward') field(REGRESO).value = 'si';

const [link, department] = [field('maps_url'), field('departamento')];

/** The service's hint for a field; undefined where it has none. */
async function ask(path: string, { name, value }: HTMLInputElement): Promise<Response | undefined> {
  const body = new URLSearchParams({ [name]: value });
  const answer = await fetch(`/panel/guias/nueva/${path}`, { method: 'POST', body }).catch(() => undefined);
  return answer?.ok === true ? answer : undefined;
}

async function showPoint(value: string): Promise<void> {
  if (value !== link.value) return;
  const answer = value.trim() === '' ? undefined : await ask('punto', link);
  const shown = (await answer?.text()) ?? '';
  if (value === link.value) document.querySelector('[data-point]')!.innerHTML = shown;
}

async function suggest(): Promise<void> {
  const answer = await ask('municipios', department);
  if (!answer) return;
  const names = (await answer.json()) as string[];
  const options = names.map((value) => Object.assign(document.createElement('option'), { value }));
  document.getElementById('municipios')?.replaceChildren(...options);
}

link.addEventListener('input', () => {
  const { value } = link;
  setTimeout(() => void showPoint(value), 400);
});
department.addEventListener('change', () => void suggest());
