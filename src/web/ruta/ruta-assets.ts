import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { AppError } from '../../errors/app-error.js';
import { compress, encodingOf, type Encoding } from '../kit/compression.js';
import { PageAnswer } from '../kit/page-answer.js';
import { assetHeaders, CSS, JS, PageAsset } from '../kit/page-asset.js';

const ours = (name: string) => () => join(import.meta.dirname, 'phone', name);
const ofPackage = (name: string) => () => fileURLToPath(import.meta.resolve(name));

/** Files of the page. The scripts import each other by these names, so that all of one release are below one path. */
const FILES = {
  'ruta.css': [ours('ruta.css'), CSS],
  'app.js': [ours('app.js'), JS],
  'model.js': [ours('model.js'), JS],
  'views.js': [ours('views.js'), JS],
  'store.js': [ours('store.js'), JS],
  'clock.js': [ours('clock.js'), JS],
  'preact.js': [ofPackage('preact'), JS],
  'idb.js': [ofPackage('idb'), JS],
} satisfies Record<string, [path: () => string, type: string]>;

type AssetName = keyof typeof FILES;

/** Reads codes where the browser cannot; asked for once a camera is opened there. Its standalone build, and its engine. */
const READER = {
  'zxing.js': [ofZxing('../../iife/reader/index.js'), JS],
  'zxing.wasm': [ofPackage('zxing-wasm/reader/zxing_reader.wasm'), 'application/wasm'],
} satisfies Record<string, [path: () => string, type: string]>;

/** @param path from the package's module. */
function ofZxing(path: string): () => string {
  return () => fileURLToPath(new URL(path, import.meta.resolve('zxing-wasm/reader')));
}

/** The scripts by which a guide opens, beside `app.js`, which asks for the others. */
export const FIRST_SCRIPTS: readonly AssetName[] = ['preact.js', 'model.js', 'views.js'];

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
export async function findRutaAsset(
  name: string,
  version: string,
  acceptEncoding: string | undefined,
): Promise<PageAnswer<Buffer>> {
  const { assets, version: current } = load();
  const isFresh = version === current;
  if (Object.hasOwn(READER, name)) return readerFile(name as keyof typeof READER, acceptEncoding, isFresh);
  const asset = assets.get(name);
  if (!asset) throw new AppError('no_encontrado');
  return asset.answer(acceptEncoding, isFresh);
}

const readerFiles = new Map<string, Promise<Buffer>>();

/** A megabyte: read and compressed once for each encoding, on a thread of Node's pool. */
async function readerFile(
  name: keyof typeof READER,
  acceptEncoding: string | undefined,
  isFresh: boolean,
): Promise<PageAnswer<Buffer>> {
  const [path, type] = READER[name];
  const encoding = encodingOf(acceptEncoding);
  const key = `${name} ${encoding}`;
  const made = readerFiles.get(key) ?? readCompressed(path(), encoding);
  readerFiles.set(key, made);
  return new PageAnswer(await made, assetHeaders({ type, isFresh, encoding }));
}

async function readCompressed(path: string, encoding: Encoding | undefined): Promise<Buffer> {
  const bytes = await readFile(path);
  return encoding ? compress(encoding, bytes) : bytes;
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
