/**
 * Lets the driver's page open without a network: keeps its files and an empty page, which shows what the phone has
 * stored. No person's data are in its cache. The service writes `VERSION` and `FILES` before these lines.
 */
declare const VERSION: string;
declare const FILES: string[];

interface LifetimeEvent extends Event {
  waitUntil(done: Promise<unknown>): void;
}

interface RequestEvent extends LifetimeEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

/** Globals of a service worker. */
declare const self: {
  addEventListener(type: 'install' | 'activate', listener: (event: LifetimeEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: RequestEvent) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
};

const CACHE = `ruta-${VERSION}`;

/** The empty page. */
const SHELL = '/r/sin-red';

/** Milliseconds; a network that is slower to begin an answer counts as none. */
const PATIENCE = 5_000;

/** Other pages of this origin may have caches, too. */
const isOld = (name: string) => name.startsWith('ruta-') && name !== CACHE;

const PAGE = /^\/r\/[\w-]{48}\/?$/;

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll([SHELL, ...FILES]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate' && PAGE.test(pathname)) event.respondWith(page(request));
  else if (pathname.startsWith('/r/assets/')) event.respondWith(file(request));
});

/** The service's page; without a network, or while the service is away, the empty one. */
async function page(request: Request): Promise<Response> {
  try {
    const answer = await within(PATIENCE, fetch(request));
    if (answer.status < 500) return answer;
  } catch {
    // Without a network.
  }
  return (await caches.match(SHELL)) ?? Response.error();
}

/** The reader of codes is kept once it was used. */
async function file(request: Request): Promise<Response> {
  const kept = await caches.match(request.url);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) void keep(request.url, answer.clone());
  return answer;
}

async function keep(url: string, answer: Response): Promise<void> {
  await (await caches.open(CACHE)).put(url, answer).catch(() => undefined);
}

function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return Promise.race([
    promise,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('too slow')), ms)),
  ]);
}

export {};
