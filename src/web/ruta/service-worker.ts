import { hash } from 'node:crypto';
import { assetUrl, findAsset } from '../kit/assets.js';
import { PageAnswer } from '../kit/page-answer.js';

/** The service worker: it lies above the pages, and knows the files of this release. */
export async function serviceWorker(): Promise<PageAnswer> {
  const files = ['ruta.css', 'app.js'].map((name) => assetUrl('/r', name));
  const version = hash('sha256', files.join(), 'base64url').slice(0, 12);
  const known = `const VERSION = ${JSON.stringify(version)};\nconst FILES = ${JSON.stringify(files)};\n`;
  const { body, headers } = await findAsset('sw.js', { headers: {}, query: {} });
  return new PageAnswer(known + body.toString(), { ...headers, 'Cache-Control': 'no-cache' });
}
