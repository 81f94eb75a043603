import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { renderConfirmationPage } from './confirmation-page.js';
import { AppError } from '../../errors/app-error.js';
import { assetUrl, findAsset, type AssetName } from './page-assets.js';
import { ASKING } from '../../../test/support/page-model.js';

const NAMES: AssetName[] = ['page.css', 'page.js', 'map.js', 'leaflet.css', 'leaflet.js'];
const IMMUTABLE = 'public, max-age=31536000, immutable';

const versionOf = (name: AssetName) => new URL(assetUrl(name), 'http://x').searchParams.get('v')!;
const plain = (name: AssetName) => findAsset(name, undefined).body;

describe('the files of the page', () => {
  it.each(NAMES)('%s has a URL that depends on its content and may be cached for good', (name) => {
    expect(assetUrl(name)).toMatch(new RegExp(`^/c/assets/${name}\\?v=[\\w-]{12}$`));
    expect(findAsset(name, 'gzip', versionOf(name)).headers).toMatchObject({
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
    (v) => {
      expect(findAsset('page.js', 'gzip', v).headers['Cache-Control']).toBe('no-store');
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
  ])('are compressed as the client accepts: %j', (accepted, encoding) => {
    const { body, headers } = findAsset('leaflet.js', accepted);
    expect(headers['Content-Encoding']).toBe(encoding);
    const read = encoding === 'br' ? brotliDecompressSync(body) : encoding ? gunzipSync(body) : body;
    expect(read.equals(plain('leaflet.js'))).toBe(true);
  });

  it('are compressed once', () => {
    expect(findAsset('leaflet.js', 'gzip').body).toBe(findAsset('leaflet.js', 'gzip').body);
  });

  it.each(['', 'page.ts', '../page.css', 'constructor', '__proto__', 'toString', 'PAGE.CSS', 'images/x.png'])(
    'are the only ones served: not %j',
    (name) => {
      expect(() => findAsset(name, 'gzip')).toThrow(AppError);
    },
  );

  it('stay under 80 KB together with the page', () => {
    const page = renderConfirmationPage({ ...ASKING, pasos: [] });
    const files = NAMES.map((name) => findAsset(name, 'gzip').body.length);
    const total = files.reduce((sum, length) => sum + length, gzipSync(page).length);
    expect(total).toBeLessThan(80 * 1024);
    // What loads before anyone asks for the map.
    expect(files[0]! + files[1]! + Buffer.byteLength(page)).toBeLessThan(20 * 1024);
  });
});
