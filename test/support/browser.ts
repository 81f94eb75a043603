import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** The headless shell first: without a desktop's browser around it, it takes half of the time. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const executablePath = PLACES.find(existsSync);

/** `describe` where there is a Chromium; elsewhere the suite is skipped and says why (in CI it fails instead). */
export function describeInBrowser(name: string, suite: () => void): void {
  if (executablePath || process.env.CI) describe(name, suite);
  else describe['skip'](`${name} (skipped: no Chromium in ${PLACES.join(', ')})`, suite);
}

/** Headless Chromium without requests of its own. */
export function launchBrowser(): Promise<Browser> {
  const quiet = [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-quic',
    '--no-first-run',
  ];
  // Chromium refuses its own sandbox as root, which CI containers run as.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args: [...quiet, ...asRoot, '--disable-gpu'] });
}
