import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { AppError } from '../../errors/app-error.js';
import { PageAnswer } from '../../html/page-answer.js';
import { CSS, JS, PageAsset } from '../../html/page-asset.js';

const ours = (name: string) => () => join(import.meta.dirname, 'web', name);
const ofPackage = (name: string) => () => fileURLToPath(import.meta.resolve(name));

/** Files of the page. The scripts import each other by these names, so that all of one release are below one path. */
const FILES = {
  'ruta.css': [ours('ruta.css'), CSS],
  'app.js': [ours('app.js'), JS],
  'model.js': [ours('model.js'), JS],
  'views.js': [ours('views.js'), JS],
  'store.js': [ours('store.js'), JS],
  'preact.js': [ofPackage('preact'), JS],
  'idb.js': [ofPackage('idb'), JS],
} satisfies Record<string, [path: () => string, type: string]>;

type AssetName = keyof typeof FILES;

export const SCRIPTS = (Object.keys(FILES) as AssetName[]).filter((name) => name.endsWith('.js'));

let loaded: { assets: Map<string, PageAsset>; version: string } | undefined;

/** The files, read at the first request; their version changes with any of them. */
function load() {
  if (loaded) return loaded;
  const assets = new Map(
    Object.entries(FILES).map(([name, [path, type]]) => [name, PageAsset.read(path(), type)]),
  );
  const versions = [...assets.values()].map(({ version }) => version);
  loaded = { assets, version: hash('sha256', versions.join(), 'base64url').slice(0, 12) };
  return loaded;
}

/** The URL of a file of the page. */
export function rutaAssetUrl(name: AssetName): string {
  return `/r/assets/${load().version}/${name}`;
}

/** @param version from the URL. During a rollout another release's may be asked for. @throws AppError `no_encontrado` */
export function findRutaAsset(
  name: string,
  version: string,
  acceptEncoding: string | undefined,
): PageAnswer<Buffer> {
  const { assets, version: current } = load();
  const asset = assets.get(name);
  if (!asset) throw new AppError('no_encontrado');
  return asset.answer(acceptEncoding, version === current);
}

/** The service worker: it lies above the pages, and knows the files of this release. */
export function serviceWorker(): PageAnswer<string> {
  const files = (Object.keys(FILES) as AssetName[]).map(rutaAssetUrl);
  const known = `const VERSION = ${JSON.stringify(load().version)};\nconst FILES = ${JSON.stringify(files)};\n`;
  return new PageAnswer(known + readFileSync(ours('sw.js')(), 'utf8'), {
    'Content-Type': JS,
    'Cache-Control': 'no-cache',
  });
}
