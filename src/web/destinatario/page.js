/**
 * Adds the phone's location and a map to the page, whose form also works without scripts, and updates the parcel's
 * progress. Loads only the map's files, once there is a place to show. Must run in Android's WebView 80.
 */
(function () {
  'use strict';

  /** Metres; a less accurate position needs the pin to be moved by hand. */
  const GOOD_ACCURACY = 100;

  /** Metres; the largest error that is taken. Some devices report a huge number for an unknown accuracy. */
  const MAX_ACCURACY = 100000;

  /** Milliseconds; browsers inside other apps often neither ask for permission nor answer. */
  const SILENCE = 15000;

  /** What the page says, in its language. */
  const TEXTS = JSON.parse(document.currentScript.dataset.texts);

  /** Reasons for having no position that another browser may not have, so that the page's address helps. */
  const WHERE_TO_COPY = ['0', '1', 'silence'];

  /** Milliseconds between two requests for the parcel's progress. */
  const LOOK_EVERY = 60000;

  /** The map's files, once they are asked for. */
  let loading = null;

  /** The page's content as it came from the server. */
  let shown = '';

  document.addEventListener('DOMContentLoaded', function () {
    enhance();
    if (byId('progress')) setTimeout(look, LOOK_EVERY);
  });

  function enhance() {
    shown = document.querySelector('main').innerHTML;
    showLocalTimes();
    if (byId('form')) startForm(byId('form'));
    if (byId('where')) startWhere(byId('where'));
  }

  /** Whether the person is in a field, or has opened a correction that the new page still takes: it must not be lost. */
  function isTyping(page) {
    const isCorrecting = document.querySelector('.correction[open]') && page.getElementById('form');
    return Boolean(isCorrecting) || document.activeElement.matches('input, textarea');
  }

  function byId(id) {
    return document.getElementById(id);
  }

  /** A text with its placeholders, like "{hour}", replaced. */
  function fill(text, parts) {
    return text.replace(/\{(\w+)\}/g, (_, name) => parts[name]);
  }

  /** Writes times in the phone's own zone. */
  function showLocalTimes() {
    const isOwn = (language) => language.toLowerCase().split('-')[0] === TEXTS.lang;
    const locales = navigator.languages.filter(isOwn).concat(TEXTS.locale);
    const day = new Intl.DateTimeFormat(locales, { weekday: 'long', day: 'numeric', month: 'long' });
    const clock = new Intl.DateTimeFormat(locales, { hour: 'numeric', minute: '2-digit' });
    // "6:41 p. m." stays in one line.
    const hourOf = (date) => clock.format(date).replace(/ /g, '\u00a0');
    for (const time of document.querySelectorAll('time[data-local]')) {
      const date = new Date(time.dateTime);
      time.textContent = `${day.format(date)}, ${hourOf(date)}`;
    }
  }

  /** Updates the page until the parcel has arrived; not while the page is hidden. */
  function look() {
    if (!byId('progress') || !('follow' in byId('progress').dataset)) return;
    if (document.hidden) {
      document.addEventListener('visibilitychange', look, { once: true });
      return;
    }
    fetch(location.href)
      .then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(answer.statusText))))
      .then(function (text) {
        const page = new DOMParser().parseFromString(text, 'text/html');
        const fresh = page.querySelector('main');
        if (fresh.innerHTML === shown || isTyping(page)) return;
        const open = ['where', 'progress'].filter((id) => byId(id) && byId(id).open);
        document.title = page.title;
        document.querySelector('main').replaceWith(document.importNode(fresh, true));
        enhance();
        for (const id of open) if (byId(id)) byId(id).open = true;
      })
      .catch(() => undefined)
      .then(() => setTimeout(look, LOOK_EVERY));
  }

  /** A map with a pin that stays where it is, loaded when it is opened. */
  function startWhere(where) {
    const at = { lat: Number(where.dataset.lat), lng: Number(where.dataset.lng) };
    where.addEventListener('toggle', function () {
      if (!where.open || !byId('where-map').hidden) return;
      loadMap(where.dataset).then(
        function () {
          const container = byId('where-map');
          container.hidden = false;
          const onTiles = (fails) => (byId('where-note').textContent = fails ? TEXTS.noTiles : '');
          window.createPinMap({ container, at, files: where.dataset, texts: TEXTS, onTiles });
        },
        () => undefined,
      );
    });
  }

  function startForm(form) {
    const {
      lat,
      lng,
      maps_url: link,
      nota,
      precision_m: precision,
      precision_aceptada: accepted,
    } = form.elements;
    /** The phone's position: {lat, lng, accuracy in metres}. */
    let start = null;
    /** The map, once it is loaded. */
    let map = null;
    /** Whether the map is a grid without streets: it has no tiles, or they fail to load. */
    let isGrid = !form.dataset.tiles;
    /** Counts the person's actions: a position that was asked for before the last one is dropped. */
    let turn = 0;

    /** Whether the parcel has a place, which an answer without another one keeps. */
    const isKnown = 'known' in form.dataset;
    const label = byId('confirm').textContent;
    const answered = [lat, lng, link].some((field) => field.value !== '');
    byId('here').hidden = false;
    byId('other').open = answered || byId('other').querySelector('[aria-invalid]') !== null;
    setReady(answered || isKnown);
    showTyped();
    if ('opens' in form.dataset) showTown();
    byId('locate').addEventListener('click', locate);
    if (byId('choose')) byId('choose').addEventListener('click', choose);
    lat.addEventListener('change', takeTyped);
    lng.addEventListener('change', takeTyped);
    link.addEventListener('input', takeLink);
    form.addEventListener('submit', submit);
    window.addEventListener('pageshow', () => setSending(false));

    function locate() {
      if (isBusy(byId('locate'))) return;
      hideHelp();
      if (!navigator.geolocation || !window.isSecureContext) {
        fail(0);
        return;
      }
      const mine = ++turn;
      say(TEXTS.searching);
      setBusy(byId('locate'), true);
      loadMap(form.dataset).catch(() => undefined);
      const silence = setTimeout(() => settle(() => fail('silence')), SILENCE);
      // A late answer is still used.
      function settle(finish) {
        clearTimeout(silence);
        if (mine !== turn) return;
        hideHelp();
        setBusy(byId('locate'), false);
        say('');
        finish();
      }
      navigator.geolocation.getCurrentPosition(
        (position) => settle(() => takePosition(position.coords)),
        (error) => settle(() => fail(error.code in TEXTS.help ? error.code : 2)),
        { enableHighAccuracy: true, timeout: 12000, maximumAge: 0 },
      );
    }

    function fail(reason) {
      showHelp(reason);
      showTown(byId('help'));
    }

    /** For somebody who is not where the parcel is to be delivered. */
    function choose() {
      dropPosition();
      hideHelp();
      showTown(byId('place'));
    }

    function takePosition({ latitude, longitude, accuracy }) {
      start = { lat: latitude, lng: longitude, accuracy };
      link.value = '';
      setPlace(start);
      precision.value = String(Math.min(Math.ceil(accuracy), MAX_ACCURACY));
      byId('locate-text').textContent = TEXTS.again;
      const isGood = accuracy <= GOOD_ACCURACY;
      say(fill(isGood ? TEXTS.accurate : TEXTS.inaccurate, { length: metres(accuracy, 5) }), !isGood);
      showMap(start);
    }

    function takeTyped() {
      dropPosition();
      showTyped();
    }

    function showTyped() {
      const place = { lat: toDegrees(lat.value, 90), lng: toDegrees(lng.value, 180) };
      if (place.lat === null || place.lng === null) return;
      showCoordinates(place);
      showMap(place);
    }

    /** A link that is pasted after the pin was placed replaces it. */
    function takeLink() {
      if (link.value.trim() === '') return;
      dropPosition();
      lat.value = lng.value = '';
      byId('place').hidden = true;
      setReady(true);
    }

    function dropPosition() {
      turn++;
      start = null;
      setPrecise();
      setBusy(byId('locate'), false);
      say('');
    }

    function setPlace(place) {
      lat.value = place.lat.toFixed(6);
      lng.value = place.lng.toFixed(6);
      // The phone's accuracy says nothing about a moved pin.
      setPrecise();
      showCoordinates(place);
    }

    function setPrecise() {
      precision.value = accepted.value = '';
      byId('confirm').textContent = label;
    }

    function showCoordinates(place) {
      tellTiles();
      byId('coordinates').textContent = place.lat.toFixed(6) + ', ' + place.lng.toFixed(6);
      byId('chosen').hidden = false;
      byId('place').hidden = false;
      setReady(true);
    }

    /** If the map's files fail to load, the coordinates can still be confirmed. */
    function showMap(place) {
      loadMap(form.dataset).then(
        function () {
          const isNew = map === null;
          openMap(place);
          map.show(place, start);
          // The map, what is said about it and the button fit a small phone's screen together.
          if (isNew && start) byId('status').scrollIntoView({ block: 'start' });
          hint(TEXTS.drag, start && TEXTS.blueDot);
        },
        () => undefined,
      );
    }

    /** Without a position: the map around the known place, or the pickup point with a pin that says nothing until it is moved. */
    function showTown(top) {
      const { nearLat, nearLng } = form.dataset;
      if (map || nearLat === undefined) return;
      loadMap(form.dataset).then(
        function () {
          if (map) return;
          byId('place').hidden = false;
          openMap({ lat: Number(nearLat), lng: Number(nearLng) }, !isKnown);
          if (top) top.scrollIntoView({ block: 'start' });
          hint(isKnown ? TEXTS.drag : TEXTS.findHome);
          tellTiles();
        },
        () => undefined,
      );
    }

    /** Says what to do with the map. */
    function hint(...sentences) {
      if (!form.dataset.tiles) sentences.splice(1, 0, TEXTS.northIsUp);
      byId('map-hint').textContent = sentences.filter(Boolean).join(' ');
    }

    /** Nobody finds their house on a grid: it takes a pin only near a place that is known. */
    function tellTiles() {
      const isLost = isGrid && isEmpty() && !isKnown;
      byId('map-hint').hidden = isLost;
      for (const item of document.querySelectorAll('.find-home')) item.hidden = isLost;
      const note = isGrid && form.dataset.tiles ? `${TEXTS.noTiles} ${TEXTS.goOn}` : '';
      byId('map-note').textContent = isLost ? TEXTS.noMap : note;
    }

    function isEmpty() {
      return [lat, lng, link].every((field) => field.value.trim() === '');
    }

    function openMap(at, isGuess = false) {
      const container = byId('map');
      container.hidden = false;
      if (byId('saved-place')) byId('saved-place').hidden = true;
      // Keeps the button to confirm in view.
      form.classList.add('with-map');
      if (byId('choose')) byId('choose').hidden = true;
      const onTiles = function (fails) {
        isGrid = fails;
        tellTiles();
      };
      const handlers = { onTiles, onMove: setPlace, onDrop: takeDrop };
      const options = { container, at, isGuess, files: form.dataset, texts: TEXTS, ...handlers };
      map = map || window.createPinMap(options);
    }

    /** Says how far the pin is from the phone, which helps where the map shows no streets. */
    function takeDrop(place) {
      setPlace(place);
      if (!start) {
        say(TEXTS.moved);
        return;
      }
      const { length, direction } = map.offsetFrom(start);
      say(fill(TEXTS.movedBy, { length: metres(length, 1), direction }));
    }

    function submit(event) {
      const empty = isEmpty() && !isKnown && nota.value.trim() === '';
      const unsure = Number(precision.value) > GOOD_ACCURACY && accepted.value === '';
      if (empty || unsure || isBusy(byId('confirm'))) event.preventDefault();
      if (empty) {
        say(map && !isGrid ? TEXTS.nothingOnMap : TEXTS.nothingChosen, true);
        byId('locate').focus();
      } else if (unsure) askAgain();
      else setSending(true);
    }

    /** A position that may be another house's is sent by a second press. */
    function askAgain() {
      accepted.value = 'si';
      say(fill(TEXTS.unsure, { length: metres(Number(precision.value), 5) }), true);
      byId('confirm').textContent = TEXTS.confirmUnsure;
      byId('status').scrollIntoView({ block: 'start' });
    }

    /** A second tap on a slow network must not send twice. */
    function setSending(sending) {
      setBusy(byId('confirm'), sending);
      byId('confirm').textContent = sending
        ? TEXTS.sending
        : accepted.value === ''
          ? label
          : TEXTS.confirmUnsure;
    }
  }

  /** Degrees as people type them, with a point or a comma; null for anything else. */
  function toDegrees(text, limit) {
    const plain = text.trim().replace(',', '.').replace('\u2212', '-');
    const degrees = /^[+-]?\d+(\.\d+)?$/.test(plain) ? Number(plain) : NaN;
    return Math.abs(degrees) <= limit ? degrees : null;
  }

  /** A length in rounded words; below 100 m in steps of `step` metres. */
  function metres(length, step) {
    if (length >= 1000) return Math.round(length / 1000) + ' km';
    const unit = length >= 100 ? 10 : step;
    return Math.max(unit, Math.round(length / unit) * unit) + ' m';
  }

  /** Loads the map's files once; again after a failure. */
  function loadMap({ leafletCss, leafletJs, mapJs }) {
    if (!loading) {
      loading = Promise.all([
        fetchInto('link', { rel: 'stylesheet', href: leafletCss }),
        fetchInto('script', { src: leafletJs }),
        fetchInto('script', { src: mapJs }),
      ]);
      loading.catch(() => (loading = null));
    }
    return loading;
  }

  function fetchInto(name, properties) {
    return new Promise(function (resolve, reject) {
      document.head.append(
        Object.assign(document.createElement(name), properties, { onload: resolve, onerror: reject }),
      );
    });
  }

  function say(text, warn = false) {
    byId('status').textContent = text;
    byId('status').classList.toggle('warn', warn);
  }

  function isBusy(button) {
    return button.getAttribute('aria-disabled') === 'true';
  }

  function setBusy(button, busy) {
    button.setAttribute('aria-disabled', String(busy));
  }

  /** Only the button of the next step is filled. */
  function setReady(ready) {
    byId('locate').classList.toggle('quiet', ready);
    byId('confirm').classList.toggle('quiet', !ready);
    byId('locate-hint').hidden = ready;
    if (byId('choose') && ready) byId('choose').hidden = true;
  }

  function hideHelp() {
    byId('help').hidden = true;
    byId('help').textContent = '';
  }

  function showHelp(reason) {
    const { title, text } = TEXTS.help[reason];
    const list = element('ul');
    if (byId('choose')) list.append(Object.assign(element('li', TEXTS.findHome), { className: 'find-home' }));
    list.append(element('li', TEXTS.pasteBelow));
    if ('chat' in byId('form').dataset) list.append(element('li', TEXTS.useChat));
    const help = byId('help');
    help.append(element('strong', title), element('p', text), element('p', TEXTS.alternatives), list);
    if (WHERE_TO_COPY.includes(String(reason))) help.append(copyButton());
    help.hidden = false;
    byId('other').open = true;
  }

  function element(name, text = '') {
    return Object.assign(document.createElement(name), { textContent: text });
  }

  function copyButton() {
    const button = Object.assign(element('button', TEXTS.copy), {
      type: 'button',
      className: 'button quiet',
    });
    button.addEventListener('click', () =>
      copyAddress().then(
        () => (button.textContent = TEXTS.copied),
        () => (button.textContent = TEXTS.copyYourself),
      ),
    );
    return button;
  }

  function copyAddress() {
    if (navigator.clipboard) return navigator.clipboard.writeText(location.href);
    const area = Object.assign(document.createElement('textarea'), { value: location.href });
    document.body.append(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    return copied ? Promise.resolve() : Promise.reject(new Error('not copied'));
  }
})();
