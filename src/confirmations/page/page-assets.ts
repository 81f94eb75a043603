import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { AppError } from '../../errors/app-error.js';
import { PageAnswer } from './page-answer.js';

/** Encodings, best first. Quality 10: 11 takes three times as long to gain 2 %. */
const ENCODINGS: [name: string, compress: (bytes: Buffer) => Buffer][] = [
  ['br', (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } })],
  ['gzip', (bytes) => gzipSync(bytes, { level: 9 })],
];

const leaflet = dirname(createRequire(import.meta.url).resolve('leaflet'));

/** A file of the page, read at its first request and compressed once per encoding. */
class Asset {
  private readonly bytes: Buffer;
  private readonly compressed = new Map<string, Buffer>();
  readonly version: string;

  constructor(
    path: string,
    private readonly type: string,
  ) {
    this.bytes = readFileSync(path);
    this.version = hash('sha256', this.bytes, 'base64url').slice(0, 12);
  }

  answer(acceptEncoding: string, version: string | undefined): PageAnswer<Buffer> {
    const encoding = ENCODINGS.find(([name]) => accepts(acceptEncoding, name));
    // During a rollout a release may be asked for another release's file; that answer must not be cached.
    const fresh = version === this.version;
    return new PageAnswer(encoding ? this.compress(...encoding) : this.bytes, {
      'Content-Type': this.type,
      'Cache-Control': fresh ? 'public, max-age=31536000, immutable' : 'no-store',
      Vary: 'Accept-Encoding',
      'X-Content-Type-Options': 'nosniff',
      ...(encoding && { 'Content-Encoding': encoding[0] }),
    });
  }

  private compress(name: string, compress: (bytes: Buffer) => Buffer): Buffer {
    const known = this.compressed.get(name);
    if (known) return known;
    const body = compress(this.bytes);
    this.compressed.set(name, body);
    return body;
  }
}

const CSS = 'text/css; charset=utf-8';
const JS = 'text/javascript; charset=utf-8';

const FILES = {
  'page.css': [join(import.meta.dirname, 'page.css'), CSS],
  'page.js': [join(import.meta.dirname, 'page.js'), JS],
  'map.js': [join(import.meta.dirname, 'map.js'), JS],
  'leaflet.css': [join(leaflet, 'leaflet.css'), CSS],
  'leaflet.js': [join(leaflet, 'leaflet.js'), JS],
} satisfies Record<string, [path: string, type: string]>;

export type AssetName = keyof typeof FILES;

const assets = new Map<AssetName, Asset>();

function assetOf(name: AssetName): Asset {
  const known = assets.get(name);
  if (known) return known;
  const asset = new Asset(...FILES[name]);
  assets.set(name, asset);
  return asset;
}

/** The URL of a file of the page; it changes with the file's content. */
export function assetUrl(name: AssetName): string {
  return `/c/assets/${name}?v=${assetOf(name).version}`;
}

/**
 * A file of the page, in the best encoding that the client accepts.
 * @param version from the URL; only the current one may be cached.
 * @throws AppError `no_encontrado`
 */
export function findAsset(
  name: string,
  acceptEncoding: string | undefined,
  version?: string,
): PageAnswer<Buffer> {
  if (!Object.hasOwn(FILES, name)) throw new AppError('no_encontrado');
  return assetOf(name as AssetName).answer(acceptEncoding ?? '', version);
}

/** Whether `Accept-Encoding` lists an encoding without `q=0`. */
function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
