/** Milliseconds between two keys of one scan. */
const GAP = 1_000;

/** Fewer digits before an Enter are a person's, who presses a button. */
const MIN_DIGITS = 4;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLInputElement ? target.type !== 'checkbox' : target instanceof HTMLTextAreaElement;

/** Hears a scanner that types what it reads, digits and Enter, while no field has the focus. */
export function listenToWedge(onRead: (text: string) => void): void {
  let typed = '';
  let last = 0;
  document.addEventListener('keydown', (event) => {
    const { key, target, timeStamp } = event;
    if (isTyping(target)) return;
    if (timeStamp - last > GAP) typed = '';
    last = timeStamp;
    if (/^\d$/.test(key)) typed += key;
    if (key !== 'Enter' && key !== 'Tab') return;
    // The Enter of a scanner presses no button that has the focus.
    if (typed.length >= MIN_DIGITS) {
      event.preventDefault();
      onRead(typed);
    }
    typed = '';
  });
}
