import { execFileSync } from 'node:child_process';
import setup from './global-setup.mjs';

/** Releases of Node that the built service must run on, besides the one that runs the tests. */
const RELEASES = [22, 24];

/** What the slow suite needs besides the database: other releases of Node, from the npm registry. */
export default async function slowSetup() {
  await setup();
  process.env.GUIAS_TEST_NODES = JSON.stringify(RELEASES.flatMap(findNode));
}

function findNode(release) {
  try {
    const args = ['--yes', '-p', `node@${release}`, 'node', '-p', 'process.execPath'];
    const path = execFileSync('npx', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    return [{ release: `Node ${release}`, path }];
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    console.log(`Skipping the smoke tests on Node ${release}: npx cannot install it.`);
    return [];
  }
}
