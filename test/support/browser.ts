import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { unlessMissing } from './skipping.js';

/** The headless shell first: without a desktop's browser around it, it takes half of the time. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const executablePath = PLACES.find(existsSync);

export const describeInBrowser = unlessMissing(
  describe,
  executablePath ? undefined : `no Chromium in ${PLACES.join(', ')}`,
);

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
