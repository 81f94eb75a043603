import { byId, detailsOf, element, find, TEXTS } from './dom.js';

/** Why there is no position: the browser's code, or that it did not answer. */
export type Reason = keyof typeof TEXTS.help;

/** Reasons that another browser may not have, so that the page's address helps. */
const WHERE_TO_COPY = ['0', '1', 'silence'];

export function hideHelp(): void {
  byId('help').hidden = true;
  byId('help').textContent = '';
}

export function showHelp(reason: Reason): void {
  const { title, text } = TEXTS.help[reason];
  const list = element('ul');
  if (find('choose')) list.append(Object.assign(element('li', TEXTS.findHome), { className: 'find-home' }));
  list.append(element('li', TEXTS.pasteBelow));
  if ('chat' in byId('form').dataset) list.append(element('li', TEXTS.useChat));
  const help = byId('help');
  help.append(element('strong', title), element('p', text), element('p', TEXTS.alternatives), list);
  if (WHERE_TO_COPY.includes(String(reason))) help.append(copyButton());
  help.hidden = false;
  detailsOf('other')!.open = true;
}

function copyButton(): HTMLElement {
  const button = Object.assign(element('button', TEXTS.copy), { type: 'button', className: 'button quiet' });
  button.addEventListener('click', () => {
    copyAddress().then(
      () => (button.textContent = TEXTS.copied),
      () => (button.textContent = TEXTS.copyYourself),
    );
  });
  return button;
}

function copyAddress(): Promise<void> {
  const { clipboard } = navigator as Partial<Navigator>;
  if (clipboard) return clipboard.writeText(location.href);
  const area = Object.assign(document.createElement('textarea'), { value: location.href });
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied ? Promise.resolve() : Promise.reject(new Error('not copied'));
}
