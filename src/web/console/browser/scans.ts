import { inFours, isGuiaNumero } from '../../../guias/guia/guia-digits.js';
import type { Scanned } from '../dispatch/dispatch-texts.js';
import { beep } from './beep.js';

/** Why a scanned label needs a look. */
type Aviso = NonNullable<Scanned['aviso']> | 'repetida';

/** Numbers in one question, as the service takes them. */
const AT_ONCE = 100;

/** ms until a question is asked again that was not answered. */
const RETRY_MS = 1_500;

/** ms between two keys of a hand scanner; a person takes longer. */
const KEY_MS = 100;

const TONES = { desconocida: 'bad', terminada: 'bad', asignada: 'care', repetida: 'care' } as const;

/**
 * Labels that a hand scanner types, each with Enter: the field is emptied at once, and what a number is comes later. None is
 * lost while the service is asked, or cannot be reached.
 */
export class Scans {
  private readonly field: HTMLInputElement;
  private readonly counter: HTMLElement;
  private readonly status: HTMLElement;
  private readonly list: HTMLOListElement;

  /** Guides that were scanned and are chosen. */
  private readonly known = new Set<string>();
  private waiting: string[] = [];
  private isAsking = false;

  /** Keys of a scanner that typed into no field. */
  private typed = '';
  private typedAt = 0;

  constructor(
    private readonly form: HTMLFormElement,
    private readonly onChange: () => void,
  ) {
    const part = form.querySelector<HTMLElement>('[data-escaner]')!;
    this.field = part.querySelector('[name=escaneo]')!;
    this.counter = part.querySelector('[data-escaneadas]')!;
    this.status = part.querySelector('[role=status]')!;
    this.list = part.querySelector('ol')!;
  }

  listen(): void {
    this.field.focus();
    this.form.addEventListener('submit', (event) => {
      if (!event.submitter?.getAttribute('formaction')?.includes('/elegir')) return;
      event.preventDefault();
      this.take(this.field.value);
      this.field.value = '';
      this.field.focus();
    });
    document.addEventListener('keydown', (event) => this.onKey(event));
  }

  /** A scanner types wherever the focus is: on a box, a list or a button its Enter would press that. */
  private onKey(event: KeyboardEvent): void {
    const target = event.target as Element;
    if (event.ctrlKey || event.metaKey || event.altKey || target === this.field) return;
    if (target.matches('textarea, input:not([type=checkbox])')) return;
    const isDigit = /^\d$/.test(event.key);
    if (isDigit) {
      const isFast = event.timeStamp - this.typedAt <= KEY_MS;
      this.typed = isFast ? this.typed + event.key : event.key;
      // A list of drivers would look for the digits.
      if (isFast) event.preventDefault();
      this.typedAt = event.timeStamp;
    } else if (event.key === 'Enter' && this.typed.length >= 12) {
      event.preventDefault();
      this.take(this.typed);
      this.typed = '';
    }
  }

  private take(text: string): void {
    const digits = text.replace(/\D/g, '');
    const numero = digits.slice(0, 20);
    if (text.trim() === '') return;
    if (this.known.has(numero)) {
      this.show(numero, 'Ya estaba escaneada', 'repetida');
      this.choose(numero, true);
    } else if (!isGuiaNumero(numero)) this.show(numero, 'No es un número de guía', 'desconocida');
    else {
      this.show(numero, 'Un momento…');
      this.known.add(numero);
      this.choose(numero, true);
      this.waiting.push(numero);
      void this.ask();
    }
  }

  /** Asks for all that wait at once, one question after the other. */
  private async ask(): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    while (this.waiting.length > 0) {
      const numeros = this.waiting.slice(0, AT_ONCE);
      const answers = await askFor(numeros);
      if (typeof answers === 'string') {
        this.status.textContent = answers;
        break;
      }
      if (answers === undefined) {
        this.status.textContent = 'Sin conexión: lo escaneado se revisa en cuanto vuelva.';
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        continue;
      }
      this.waiting = this.waiting.slice(numeros.length);
      for (const answer of answers) this.settle(answer);
    }
    this.isAsking = false;
  }

  private settle({ guia, aviso, texto }: Scanned): void {
    const isChosen = aviso !== 'desconocida' && aviso !== 'terminada';
    if (!isChosen) {
      this.known.delete(guia);
      this.choose(guia, false);
    }
    // A repeat that came meanwhile says so itself.
    const item = this.itemOf(guia);
    if (item?.dataset['aviso'] === 'repetida' && isChosen) this.showCount();
    else this.show(guia, texto, aviso ?? undefined, item);
  }

  /** Puts a scan on top of the list; one that is there already moves up, unless it is only answered. */
  private show(numero: string, texto: string, aviso?: Aviso, answered?: HTMLElement): void {
    const item = answered ?? this.itemOf(numero) ?? document.createElement('li');
    item.dataset['escaneo'] = numero;
    item.className = `note ${aviso === undefined ? 'off' : TONES[aviso]}`;
    if (aviso === undefined) delete item.dataset['aviso'];
    else item.dataset['aviso'] = aviso;
    const name = isGuiaNumero(numero) ? inFours(numero) : numero;
    const box = item.querySelector('input');
    item.replaceChildren(...(box ? [box] : []), `${name} · ${texto}`);
    if (!answered) this.list.prepend(item);
    this.list.hidden = false;
    this.counter.parentElement!.hidden = false;
    if (aviso !== undefined) beep(aviso === 'asignada' || aviso === 'repetida' ? 'care' : 'bad');
    this.status.textContent = aviso === undefined ? `Elegida: ${name}` : `${name}: ${texto}`;
    this.showCount();
  }

  private itemOf = (numero: string) =>
    [...this.list.children].find((one) => (one as HTMLElement).dataset['escaneo'] === numero) as
      HTMLElement | undefined;

  /** Ticks the guide's box in the list of guides; one of another page gets a box of its own. */
  private choose(numero: string, isChosen: boolean): void {
    const own = this.itemOf(numero)?.querySelector('input');
    own?.remove();
    const box = this.form.querySelector<HTMLInputElement>(`[name=guias][value="${numero}"]`);
    if (box) box.checked = isChosen;
    else if (isChosen) {
      const made = document.createElement('input');
      Object.assign(made, { type: 'checkbox', name: 'guias', value: numero, checked: true });
      made.setAttribute('aria-label', `Elegir ${inFours(numero)}`);
      this.itemOf(numero)?.prepend(made);
    }
    this.onChange();
  }

  private showCount(): void {
    const left = new Set(this.waiting);
    this.counter.textContent = String([...this.known].filter((numero) => !left.has(numero)).length);
    this.onChange();
  }
}

/** Why the service does not answer, which another question does not change; the next scan asks again. */
function refusalOf(status: number): string | undefined {
  if (status === 401)
    return 'Su sesión terminó, y lo escaneado no se revisó. Entre otra vez en otra pestaña, y escanee una más.';
  if (status === 403) return 'No tiene permiso para esto, y lo escaneado no se revisó.';
  const isFinal = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return isFinal ? 'No se pudo revisar lo escaneado. Vuelva a cargar la página.' : undefined;
}

/** The guides of the numbers, or why the service does not name them; undefined where it could not be asked. */
async function askFor(numeros: string[]): Promise<Scanned[] | string | undefined> {
  try {
    const answer = await fetch(`/admin/despacho/escaneadas?guias=${numeros.join()}`);
    return answer.ok ? ((await answer.json()) as { guias: Scanned[] }).guias : refusalOf(answer.status);
  } catch {
    return undefined;
  }
}
