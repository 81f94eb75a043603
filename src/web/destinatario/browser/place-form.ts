import { GOOD_PRECISION_M } from '../../../guias/guia/good-precision.js';
import { byId, detailsOf, fill, find, isBusy, metres, say, setBusy, TEXTS, toDegrees } from './dom.js';
import { hideHelp, showHelp, type Reason } from './help.js';
import type { LatLng } from '../../kit/browser/leaflet.js';
import { loadMap } from '../../kit/browser/map-files.js';
import type { MapScript, PinMap, Position } from '../../kit/browser/pin-map.js';

/** Metres; the largest error that is taken. Some devices report a huge number for an unknown accuracy. */
const MAX_ACCURACY = 100000;

/** Milliseconds; browsers inside other apps often neither ask for permission nor answer. */
const SILENCE = 15000;

/** The form by which a recipient says where the parcel is to go, which also works without scripts. */
export class PlaceForm {
  private readonly lat: HTMLInputElement;
  private readonly lng: HTMLInputElement;
  private readonly link: HTMLInputElement;
  private readonly nota: HTMLInputElement;
  private readonly precision: HTMLInputElement;
  private readonly accepted: HTMLInputElement;
  private readonly label = byId('confirm').textContent;

  /** Whether the parcel has a place, which an answer without another one keeps. */
  private readonly isKnown: boolean;

  private start: Position | null = null;
  private map: PinMap | null = null;

  /** Whether the map is a grid without streets: it has no tiles, or they fail to load. */
  private isGrid: boolean;

  /** Counts the person's actions: a position that was asked for before the last one is dropped. */
  private turn = 0;

  constructor(private readonly form: HTMLFormElement) {
    const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement;
    [this.lat, this.lng, this.link] = [field('lat'), field('lng'), field('maps_url')];
    [this.nota, this.precision] = [field('nota'), field('precision_m')];
    this.accepted = field('precision_aceptada');
    this.isKnown = 'known' in form.dataset;
    this.isGrid = !form.dataset.tiles;
    const answered = [this.lat, this.lng, this.link].some(({ value }) => value !== '');
    byId('here').hidden = false;
    const other = detailsOf('other')!;
    other.open = answered || other.querySelector('[aria-invalid]') !== null;
    setReady(answered || this.isKnown);
    this.showTyped();
    if (this.isKnown) this.showKnown();
    byId('locate').addEventListener('click', () => this.locate());
    find('choose')?.addEventListener('click', () => this.choose());
    for (const typed of [this.lat, this.lng]) typed.addEventListener('change', () => this.takeTyped());
    this.link.addEventListener('input', () => this.takeLink());
    form.addEventListener('submit', (event) => this.submit(event));
    window.addEventListener('pageshow', () => this.setSending(false));
  }

  private locate(): void {
    if (isBusy('locate')) return;
    hideHelp();
    const { geolocation } = navigator as Partial<Navigator>;
    if (!geolocation || !window.isSecureContext) return this.fail(0);
    const mine = ++this.turn;
    say(TEXTS.searching);
    setBusy('locate', true);
    loadMap(this.form.dataset).catch(() => undefined);
    // A late answer is still used.
    const settle = (finish: () => void) => {
      clearTimeout(silence);
      if (mine !== this.turn) return;
      hideHelp();
      setBusy('locate', false);
      say('');
      finish();
    };
    const silence = setTimeout(() => settle(() => this.fail('silence')), SILENCE);
    geolocation.getCurrentPosition(
      ({ coords }) => settle(() => this.takePosition(coords)),
      ({ code }) => settle(() => this.fail(code in TEXTS.help ? (code as Reason) : 2)),
      { enableHighAccuracy: true, timeout: 12000, maximumAge: 0 },
    );
  }

  private fail(reason: Reason): void {
    showHelp(reason);
    this.showTown(byId('help'));
  }

  /** For somebody who is not where the parcel is to be delivered. */
  private choose(): void {
    this.dropPosition();
    hideHelp();
    this.showTown(byId('place'));
  }

  private takePosition({ latitude, longitude, accuracy }: GeolocationCoordinates): void {
    this.start = { lat: latitude, lng: longitude, accuracy };
    this.link.value = '';
    this.setPlace(this.start);
    this.precision.value = String(Math.min(Math.ceil(accuracy), MAX_ACCURACY));
    byId('locate-text').textContent = TEXTS.again;
    const isGood = accuracy <= GOOD_PRECISION_M;
    say(fill(isGood ? TEXTS.accurate : TEXTS.inaccurate, { length: metres(accuracy, 5) }), !isGood);
    this.showMap(this.start);
  }

  private takeTyped(): void {
    this.dropPosition();
    this.showTyped();
  }

  private showTyped(): void {
    const [lat, lng] = [toDegrees(this.lat.value, 90), toDegrees(this.lng.value, 180)];
    if (lat === null || lng === null) return;
    this.showCoordinates({ lat, lng });
    this.showMap({ lat, lng });
  }

  /** A link that is pasted after the pin was placed replaces it. */
  private takeLink(): void {
    if (this.link.value.trim() === '') return;
    this.dropPosition();
    this.lat.value = this.lng.value = '';
    byId('place').hidden = true;
    setReady(true);
  }

  private dropPosition(): void {
    this.turn++;
    this.start = null;
    this.setPrecise();
    setBusy('locate', false);
    say('');
  }

  private setPlace(place: LatLng): void {
    this.lat.value = place.lat.toFixed(6);
    this.lng.value = place.lng.toFixed(6);
    // The phone's accuracy says nothing about a moved pin.
    this.setPrecise();
    this.showCoordinates(place);
  }

  private setPrecise(): void {
    this.precision.value = this.accepted.value = '';
    byId('confirm').textContent = this.label;
  }

  private showCoordinates({ lat, lng }: LatLng): void {
    this.tellTiles();
    byId('coordinates').textContent = `${lat.toFixed(6)}, ${lng.toFixed(6)}`;
    byId('chosen').hidden = false;
    byId('place').hidden = false;
    setReady(true);
  }

  /** If the map's files fail to load, the coordinates can still be confirmed. */
  private showMap(place: LatLng): void {
    loadMap(this.form.dataset).then(
      (script) => {
        const isNew = this.map === null;
        this.openMap(script, place).show(place, this.start);
        // The map, what is said about it and the button fit a small phone's screen together.
        if (isNew && this.start) byId('status').scrollIntoView({ block: 'start' });
        this.hint(TEXTS.drag, this.start ? TEXTS.blueDot : '');
      },
      () => undefined,
    );
  }

  /** The pin of a known place is moved on the map: once its correction is open. */
  private showKnown(): void {
    const fold = this.form.closest('details');
    if (!fold) return this.showTown();
    fold.addEventListener('toggle', () => {
      if (fold.open) this.showTown();
    });
  }

  /** Without a position: the map around the known place, or the pickup point with a pin that says nothing until it is moved. */
  private showTown(top?: HTMLElement): void {
    const { nearLat, nearLng } = this.form.dataset;
    if (this.map || nearLat === undefined) return;
    loadMap(this.form.dataset).then(
      (script) => {
        if (this.map || !this.form.isConnected) return;
        byId('place').hidden = false;
        this.openMap(script, { lat: Number(nearLat), lng: Number(nearLng) }, !this.isKnown);
        top?.scrollIntoView({ block: 'start' });
        this.hint(this.isKnown ? TEXTS.drag : TEXTS.findHome);
        this.tellTiles();
      },
      () => undefined,
    );
  }

  /** Says what to do with the map. */
  private hint(...sentences: string[]): void {
    if (!this.form.dataset.tiles) sentences.splice(1, 0, TEXTS.northIsUp);
    byId('map-hint').textContent = sentences.filter(Boolean).join(' ');
  }

  /** Nobody finds their house on a grid: it takes a pin only near a place that is known. */
  private tellTiles(): void {
    const isLost = this.isGrid && this.isEmpty() && !this.isKnown;
    byId('map-hint').hidden = isLost;
    for (const item of document.querySelectorAll<HTMLElement>('.find-home')) item.hidden = isLost;
    const note = this.isGrid && this.form.dataset.tiles ? `${TEXTS.noTiles} ${TEXTS.goOn}` : '';
    byId('map-note').textContent = isLost ? TEXTS.noMap : note;
  }

  private isEmpty(): boolean {
    return [this.lat, this.lng, this.link].every(({ value }) => value.trim() === '');
  }

  private openMap({ createPinMap }: MapScript, at: LatLng, isGuess = false): PinMap {
    const container = byId('map');
    container.hidden = false;
    const saved = find('saved-place');
    if (saved) saved.hidden = true;
    // Keeps the button to confirm in view.
    this.form.classList.add('with-map');
    const choose = find('choose');
    if (choose) choose.hidden = true;
    const onTiles = (fails: boolean) => {
      this.isGrid = fails;
      this.tellTiles();
    };
    const onMove = (place: LatLng) => this.setPlace(place);
    const onDrop = (place: LatLng) => this.takeDrop(place);
    const said = { files: this.form.dataset, texts: TEXTS, onTiles, onMove, onDrop };
    this.map ??= createPinMap({ container, at, isGuess, ...said });
    return this.map;
  }

  /** Says how far the pin is from the phone, which helps where the map shows no streets. */
  private takeDrop(place: LatLng): void {
    this.setPlace(place);
    if (!this.start || !this.map) return say(TEXTS.moved);
    const { length, direction } = this.map.offsetFrom(this.start);
    say(fill(TEXTS.movedBy, { length: metres(length, 1), direction }));
  }

  private submit(event: Event): void {
    const empty = this.isEmpty() && !this.isKnown && this.nota.value.trim() === '';
    const unsure = Number(this.precision.value) > GOOD_PRECISION_M && this.accepted.value === '';
    if (empty || unsure || isBusy('confirm')) event.preventDefault();
    if (empty) {
      say(this.map && !this.isGrid ? TEXTS.nothingOnMap : TEXTS.nothingChosen, true);
      byId('locate').focus();
    } else if (unsure) this.askAgain();
    else this.setSending(true);
  }

  /** A position that may be another house's is sent by a second press. */
  private askAgain(): void {
    this.accepted.value = 'si';
    say(fill(TEXTS.unsure, { length: metres(Number(this.precision.value), 5) }), true);
    byId('confirm').textContent = TEXTS.confirmUnsure;
    byId('status').scrollIntoView({ block: 'start' });
  }

  /** A second tap on a slow network must not send twice. */
  private setSending(sending: boolean): void {
    setBusy('confirm', sending);
    const idle = this.accepted.value === '' ? this.label : TEXTS.confirmUnsure;
    byId('confirm').textContent = sending ? TEXTS.sending : idle;
  }
}

/** Only the button of the next step is filled. */
function setReady(ready: boolean): void {
  byId('locate').classList.toggle('quiet', ready);
  byId('confirm').classList.toggle('quiet', !ready);
  byId('locate-hint').hidden = ready;
  const choose = find('choose');
  if (choose && ready) choose.hidden = true;
}
