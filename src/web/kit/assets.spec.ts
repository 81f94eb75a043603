import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { renderConfirmationPage } from '../destinatario/confirmation-page.js';
import { AppError } from '../../platform/errors/app-error.js';
import { assetUrl, findAsset } from './assets.js';
import { ASKING } from '../../../test/support/page-model.js';

const NAMES = ['page.css', 'page.js', 'map.js', 'leaflet.css', 'leaflet.js'];
const IMMUTABLE = 'public, max-age=31536000, immutable';

const versionOf = (name: string) => new URL(assetUrl('/c', name), 'http://x').searchParams.get('v')!;
const find = (name: string, accepted?: string, v?: string) =>
  findAsset(name, { headers: { 'accept-encoding': accepted }, query: { v } });

describe('the files of the page', () => {
  it.each(NAMES)('%s has a URL that depends on its content and may be cached for good', async (name) => {
    expect(assetUrl('/c', name)).toMatch(new RegExp(`^/c/assets/${name}\\?v=[\\w-]{12}$`));
    expect((await find(name, 'gzip', versionOf(name))).headers).toMatchObject({
      'Cache-Control': IMMUTABLE,
      Vary: 'Accept-Encoding',
      'X-Content-Type-Options': 'nosniff',
      'Content-Type': name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
    });
  });

  it('have different URLs', () => {
    expect(new Set(NAMES.map(versionOf)).size).toBe(NAMES.length);
  });

  it.each([undefined, '', 'of another release'])(
    'are not cached under the version of another file: %j',
    async (v) => {
      expect((await find('page.js', 'gzip', v)).headers['Cache-Control']).toBe('no-store');
    },
  );

  it.each([
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, GZIP', 'br'],
    ['br;q=0, gzip;q=1.0', 'gzip'],
    ['br; q=0.000 , gzip ; q=0', undefined],
    ['deflate', undefined],
    ['xgzip', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('are compressed as the client accepts: %j', async (accepted, encoding) => {
    const { body, headers } = await find('leaflet.js', accepted);
    expect(headers['Content-Encoding']).toBe(encoding);
    const read = encoding === 'br' ? brotliDecompressSync(body) : encoding ? gunzipSync(body) : body;
    expect(read.equals((await find('leaflet.js')).body)).toBe(true);
  });

  it('are compressed once', async () => {
    expect((await find('leaflet.js', 'gzip')).body).toBe((await find('leaflet.js', 'gzip')).body);
  });

  it.each(['', 'page.ts', '../page.css', 'constructor', '__proto__', 'toString', 'PAGE.CSS', 'images/x.png'])(
    'are the only ones served: not %j',
    async (name) => {
      await expect(find(name, 'gzip')).rejects.toThrow(AppError);
    },
  );

  it('stay under 80 KB together with the page', async () => {
    const page = renderConfirmationPage({ ...ASKING, pasos: [] });
    const files = (await Promise.all(NAMES.map((name) => find(name, 'gzip')))).map(({ body }) => body.length);
    const total = files.reduce((sum, length) => sum + length, gzipSync(page).length);
    expect(total).toBeLessThan(80 * 1024);
    // What loads before anyone asks for the map.
    expect(files[0]! + files[1]! + Buffer.byteLength(page)).toBeLessThan(20 * 1024);
  });
});
