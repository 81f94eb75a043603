import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { AppError } from '../../errors/app-error.js';
import type { PageAnswer } from '../kit/page-answer.js';
import { CSS, JS, PageAsset } from '../kit/page-asset.js';

const leaflet = dirname(createRequire(import.meta.url).resolve('leaflet'));

const FILES = {
  'page.css': [join(import.meta.dirname, 'page.css'), CSS],
  'page.js': [join(import.meta.dirname, 'page.js'), JS],
  'map.js': [join(import.meta.dirname, 'map.js'), JS],
  'leaflet.css': [join(leaflet, 'leaflet.css'), CSS],
  'leaflet.js': [join(leaflet, 'leaflet.js'), JS],
} satisfies Record<string, [path: string, type: string]>;

export type AssetName = keyof typeof FILES;

const assets = new Map<AssetName, PageAsset>();

/** A file of the page, read at its first request. */
function assetOf(name: AssetName): PageAsset {
  const known = assets.get(name);
  if (known) return known;
  const asset = PageAsset.read(...FILES[name]);
  assets.set(name, asset);
  return asset;
}

/** The URL of a file of the page; it changes with the file's content. */
export function assetUrl(name: AssetName): string {
  return `/c/assets/${name}?v=${assetOf(name).version}`;
}

/**
 * A file of the page, in the best encoding that the client accepts.
 * @param version from the URL. During a rollout a release may be asked for another release's file.
 * @throws AppError `no_encontrado`
 */
export function findAsset(
  name: string,
  acceptEncoding: string | undefined,
  version?: string,
): PageAnswer<Buffer> {
  if (!Object.hasOwn(FILES, name)) throw new AppError('no_encontrado');
  const asset = assetOf(name as AssetName);
  return asset.answer(acceptEncoding, version === asset.version);
}
