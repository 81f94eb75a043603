import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import setup from './global-setup.mjs';
import { installTools } from './tool-package.mjs';

const run = promisify(execFile);

/** Releases of Node that the built service must run on, besides the one that runs the tests. */
const RELEASES = [22, 24];

/** A release that it must refuse. */
const OLD_RELEASE = 18;

/** What the slow suite needs besides the database, from the npm registry: other releases of Node, and Newman. */
export default async function slowSetup() {
  const [nodes, old, newman] = await Promise.all([
    Promise.all(RELEASES.map(findNode)),
    findNode(OLD_RELEASE),
    findNewman(),
    setup(),
  ]);
  process.env.GUIAS_TEST_NODES = JSON.stringify(nodes.filter(Boolean));
  process.env.GUIAS_TEST_OLD_NODE = old?.path ?? '';
  process.env.GUIAS_TEST_NEWMAN = newman ?? '';
}

function findNode(release) {
  return orSkip(`the smoke tests on Node ${release}: npx cannot install it`, async () => {
    const { stdout } = await run('npx', ['--yes', '-p', `node@${release}`, 'node', '-p', 'process.execPath']);
    return { release: `Node ${release}`, path: stdout.trim() };
  });
}

function findNewman() {
  return orSkip(
    'the Postman collection: npm cannot install test/postman',
    async () => `${await installTools('test/postman')}/newman/bin/newman.js`,
  );
}

/** What a step finds; undefined where it fails, except in CI, where nothing may be skipped. */
async function orSkip(what, find) {
  try {
    return await find();
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    console.log(`Skipping ${what}.`);
    return undefined;
  }
}
