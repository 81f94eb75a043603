import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Licences under which a package may run in a product that is published under the MIT licence. */
const ALLOWED = [
  ...['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'MIT-0'],
  // Of argparse, under js-yaml.
  'Python-2.0',
  // Of type-fest, under zxing-wasm: the first of them.
  '(MIT OR CC0-1.0)',
];

/** Packages that name their licence in a file alone. */
const IN_A_FILE: Record<string, string> = { 'node_modules/png-js': 'MIT' };

interface Package {
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  license?: string;
}

/** What `npm ci --omit=dev` installs, by its path. */
function runtimePackages(lockfile: string): [string, Package][] {
  const text = readFileSync(resolve(import.meta.dirname, '..', lockfile), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, Package> };
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, one]) => [path, { ...one, license: one.license ?? IN_A_FILE[path] }]);
}

describe('data of others', () => {
  it('is named in the NOTICE, with its author and licence', () => {
    const notice = readFileSync(resolve(import.meta.dirname, '../NOTICE'), 'utf8');
    for (const words of [
      'src/locations/places/data',
      'GeoNames',
      'https://www.geonames.org',
      'CC BY 4.0',
      'Changed',
    ])
      expect(notice).toContain(words);
  });
});

describe('packages that run in production', () => {
  const packages = runtimePackages('package-lock.json');

  it('have a licence of the allow list', () => {
    const refused = packages
      // The lockfile has no licence of the builds for other platforms; ours stands for them.
      .filter(([, { license, optional, os }]) => !(license === undefined && optional && os))
      .filter(([, { license }]) => license === undefined || !ALLOWED.includes(license))
      .map(([path, { license }]) => `${path}: ${license}`);
    expect(refused).toEqual([]);
    expect(packages.length).toBeGreaterThan(100);
  });

  it('use every licence of the allow list', () => {
    const used = new Set(packages.map(([, { license }]) => license));
    expect(ALLOWED.filter((license) => !used.has(license))).toEqual([]);
  });
});
