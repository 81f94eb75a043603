import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { PageAnswer } from './page-answer.js';
import { compressBytes, encodingOf, type Encoding } from './compression.js';

export const CSS = 'text/css; charset=utf-8';
export const JS = 'text/javascript; charset=utf-8';

/** @param isFresh whether the file's URL names this version; only then it may be cached. */
export function assetHeaders({
  type,
  isFresh,
  encoding,
}: {
  type: string;
  isFresh: boolean;
  encoding: Encoding | undefined;
}): Record<string, string> {
  return {
    'Content-Type': type,
    'Cache-Control': isFresh ? 'public, max-age=31536000, immutable' : 'no-store',
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
    ...(encoding && { 'Content-Encoding': encoding }),
  };
}

/** A file of a page, compressed once per encoding. */
export class PageAsset {
  readonly version: string;
  private readonly compressed = new Map<Encoding, Buffer>();

  constructor(
    private readonly bytes: Buffer,
    private readonly type: string,
  ) {
    this.version = hash('sha256', bytes, 'base64url').slice(0, 12);
  }

  static read(path: string, type: string): PageAsset {
    return new PageAsset(readFileSync(path), type);
  }

  /** @param isFresh as of `assetHeaders`. */
  answer(acceptEncoding: string | undefined, isFresh: boolean): PageAnswer<Buffer> {
    const encoding = encodingOf(acceptEncoding);
    const headers = assetHeaders({ type: this.type, isFresh, encoding });
    return new PageAnswer(encoding ? this.compress(encoding) : this.bytes, headers);
  }

  private compress(encoding: Encoding): Buffer {
    const known = this.compressed.get(encoding);
    if (known) return known;
    const body = compressBytes(encoding, this.bytes);
    this.compressed.set(encoding, body);
    return body;
  }
}
