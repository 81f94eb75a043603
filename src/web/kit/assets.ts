import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join, resolve } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../platform/errors/app-error.js';
import { compress, encodingOf, type Encoding } from './compression.js';
import { PageAnswer } from './page-answer.js';

/** Where pages load their files from: each room has a route for them, below its own path. */
export type Room = '/admin' | '/c' | '/panel' | '/r';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.wasm': 'application/wasm',
};

const { resolve: fileOf } = createRequire(import.meta.url);

/** Files of packages, which are served as they are. */
const OF_PACKAGES: Record<string, () => string> = {
  'leaflet.css': () => fileOf('leaflet/dist/leaflet.css'),
  'leaflet.js': () => fileOf('leaflet/dist/leaflet.js'),
  // The reader of codes for browsers that have none: its standalone build, and its engine.
  'zxing.js': () => join(fileOf('zxing-wasm/reader'), '../../../iife/reader/index.js'),
  'zxing.wasm': () => fileOf('zxing-wasm/reader/zxing_reader.wasm'),
};

let built: Map<string, string> | undefined;

/** Paths of what the build has made of the folders `browser`, by name: beside the service, or below it where its sources run. */
function builtFiles(): Map<string, string> {
  const root = resolve(import.meta.dirname, '../../..');
  const folder = [join(root, 'web'), join(root, 'dist/web')].find((path) => existsSync(path));
  if (folder === undefined) throw new Error('the scripts of pages are not built: npm run build');
  built ??= new Map(readdirSync(folder).map((name) => [name, join(folder, name)]));
  return built;
}

/** A file of a page, compressed once per encoding. */
class Asset {
  readonly version: string;
  private readonly bytes: Buffer;
  private readonly type: string;
  private readonly compressed = new Map<Encoding, Promise<Buffer>>();

  constructor(path: string) {
    this.bytes = readFileSync(path);
    this.type = TYPES[extname(path)]!;
    this.version = hash('sha256', this.bytes, 'base64url').slice(0, 12);
  }

  /** @param version of the URL: only one that names this content may be kept for good. */
  async answer(acceptEncoding: string | undefined, version: string | undefined): Promise<PageAnswer<Buffer>> {
    const encoding = encodingOf(acceptEncoding);
    return new PageAnswer(encoding ? await this.compress(encoding) : this.bytes, {
      'Content-Type': this.type,
      'Cache-Control': version === this.version ? 'public, max-age=31536000, immutable' : 'no-store',
      Vary: 'Accept-Encoding',
      'X-Content-Type-Options': 'nosniff',
      ...(encoding && { 'Content-Encoding': encoding }),
    });
  }

  private compress(encoding: Encoding): Promise<Buffer> {
    const made = this.compressed.get(encoding) ?? compress(encoding, this.bytes, 'once');
    this.compressed.set(encoding, made);
    return made;
  }
}

const assets = new Map<string, Asset>();

/** A file, read when it is asked for first. @throws AppError `no_encontrado` */
function assetOf(name: string): Asset {
  const known = assets.get(name);
  if (known) return known;
  const path = Object.hasOwn(OF_PACKAGES, name) ? OF_PACKAGES[name]!() : builtFiles().get(name);
  if (path === undefined) throw new AppError('no_encontrado');
  const asset = new Asset(path);
  assets.set(name, asset);
  return asset;
}

/** The URL of a file of a page; it changes with the file's content. */
export function assetUrl(room: Room, name: string): string {
  return `${room}/assets/${name}?v=${assetOf(name).version}`;
}

/** A request of the route `…/assets/:name`. */
export type AssetRequest = FastifyRequest<{ Params: { name: string }; Querystring: { v?: string } }>;

/** A file of a page, as its route answers it. @throws AppError `no_encontrado` */
export async function findAsset(
  name: string,
  { headers, query }: Pick<AssetRequest, 'headers' | 'query'>,
): Promise<PageAnswer<Buffer>> {
  return assetOf(name).answer(headers['accept-encoding'], query.v);
}
