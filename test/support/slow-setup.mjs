import { execFileSync } from 'node:child_process';
import setup from './global-setup.mjs';
import { installTools } from './tool-package.mjs';

/** Releases of Node that the built service must run on, besides the one that runs the tests. */
const RELEASES = [22, 24];

/** What the slow suite needs besides the database, from the npm registry: other releases of Node, and Newman. */
export default async function slowSetup() {
  await setup();
  process.env.GUIAS_TEST_NODES = JSON.stringify(RELEASES.flatMap(findNode));
  process.env.GUIAS_TEST_NEWMAN = findNewman() ?? '';
}

function findNode(release) {
  return (
    orSkip(`the smoke tests on Node ${release}: npx cannot install it`, () => {
      const args = ['--yes', '-p', `node@${release}`, 'node', '-p', 'process.execPath'];
      const path = execFileSync('npx', args, {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
      return [{ release: `Node ${release}`, path }];
    }) ?? []
  );
}

function findNewman() {
  return orSkip(
    'the Postman collection: npm cannot install test/postman',
    () => `${installTools('test/postman')}/newman/bin/newman.js`,
  );
}

/** What a step finds; undefined where it fails, except in CI, where nothing may be skipped. */
function orSkip(what, find) {
  try {
    return find();
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    console.log(`Skipping ${what}.`);
    return undefined;
  }
}
