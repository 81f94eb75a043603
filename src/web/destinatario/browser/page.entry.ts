/**
 * Adds the phone's location and a map to the page, whose form also works without scripts, and updates the parcel's
 * progress. Loads only the map's files, once there is a place to show. Must run in Android's WebView 80.
 */

import { byId, detailsOf, find, TEXTS } from './dom.js';
import { loadMap } from '../../kit/browser/map-files.js';
import { PlaceForm } from './place-form.js';

/** Milliseconds between two requests for the parcel's progress. */
const LOOK_EVERY = 60000;

/** The page's content as it came from the server. */
let shown = '';

document.addEventListener('DOMContentLoaded', () => {
  enhance();
  if (find('progress')) setTimeout(look, LOOK_EVERY);
});

const content = () => document.querySelector('main')!;

function enhance(): void {
  shown = content().innerHTML;
  showLocalTimes();
  const form = find('form');
  if (form) new PlaceForm(form as HTMLFormElement);
  const where = detailsOf('where');
  if (where) startWhere(where);
}

/** Whether the person is in a field, or has opened a correction that the new page still takes: it must not be lost. */
function isTyping(page: Document): boolean {
  const isCorrecting = document.querySelector('.correction[open]') && page.getElementById('form');
  return Boolean(isCorrecting) || document.activeElement?.matches('input, textarea') === true;
}

/** Writes times in the phone's own zone. */
function showLocalTimes(): void {
  const isOwn = (language: string) => language.toLowerCase().split('-')[0] === TEXTS.lang;
  const locales = [...navigator.languages.filter(isOwn), TEXTS.locale];
  const day = new Intl.DateTimeFormat(locales, { weekday: 'long', day: 'numeric', month: 'long' });
  const clock = new Intl.DateTimeFormat(locales, { hour: 'numeric', minute: '2-digit' });
  // "6:41 p. m." stays in one line.
  const hourOf = (date: Date) => clock.format(date).replace(/ /g, '\u00a0');
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
    const date = new Date(time.dateTime);
    time.textContent = `${day.format(date)}, ${hourOf(date)}`;
  }
}

/** Updates the page until the parcel has arrived; not while the page is hidden. */
function look(): void {
  const progress = find('progress');
  if (!progress || !('follow' in progress.dataset)) return;
  if (document.hidden) document.addEventListener('visibilitychange', look, { once: true });
  else
    void update()
      .catch(() => undefined)
      .then(() => setTimeout(look, LOOK_EVERY));
}

async function update(): Promise<void> {
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = page.querySelector('main')!;
  if (fresh.innerHTML === shown || isTyping(page)) return;
  const open = ['where', 'progress'].filter((id) => detailsOf(id)?.open);
  document.title = page.title;
  content().replaceWith(document.importNode(fresh, true));
  enhance();
  for (const details of open.map(detailsOf)) if (details) details.open = true;
}

/** A map with a pin that stays where it is, loaded when it is opened. */
function startWhere(where: HTMLDetailsElement): void {
  const at = { lat: Number(where.dataset.lat), lng: Number(where.dataset.lng) };
  const container = byId('where-map');
  const onTiles = (fails: boolean) => {
    byId('where-note').textContent = fails ? TEXTS.noTiles : '';
  };
  where.addEventListener('toggle', () => {
    if (!where.open || !container.hidden) return;
    loadMap(where.dataset).then(
      ({ createPinMap }) => {
        container.hidden = false;
        createPinMap({ container, at, files: where.dataset, texts: TEXTS, onTiles });
      },
      () => undefined,
    );
  });
}
