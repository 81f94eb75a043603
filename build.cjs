'use strict';
// Builds the service: `node build.cjs`; with `--if-stale` only if its sources are not those of the last build; with
// `--pages` only what browsers run. Says first, in one line, what is missing for it. In old JavaScript, and with packages
// only where they are used, so that an old Node, or a folder without node_modules, gets as far as that line.

const { createHash } = require('crypto');
const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const ROOT = __dirname;
const OUTPUT = path.join(ROOT, 'dist/src/main.js');
/** Written last: the hash of the sources of a build. Times of files say nothing in a copied folder. */
const STAMP = path.join(ROOT, 'dist/.sources');
const SOURCES = [
  'src',
  'migrations',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
];
const NEST = packagePath('@nestjs/cli/bin/nest.js');

function packagePath(name) {
  return path.join(ROOT, 'node_modules', name);
}

function fail(line) {
  console.error(line);
  process.exit(1);
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    fail(`Node ${process.versions.node} is too old for Guías; install Node 24 from https://nodejs.org`);
}

function checkPackages() {
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const missing = Object.keys(dependencies).find((name) => !fs.existsSync(packagePath(name)));
  if (missing) fail(`The package ${missing} is not installed; run npm ci`);
}

function checkBuilder() {
  if (fs.existsSync(NEST) && fs.existsSync(packagePath('typescript'))) return;
  const why = fs.existsSync(OUTPUT)
    ? 'The sources have changed since the last build'
    : 'The service is not built';
  fail(`${why}, and the packages that build it are not installed; run npm ci --include=dev`);
}

/** Puts what browsers run into `dist/web`: each entry of a folder `browser`, with what it imports, in one file. */
function buildPages() {
  const rooms = path.join(ROOT, 'src/web');
  if (!fs.existsSync(rooms)) return;
  const entries = fs.readdirSync(rooms).flatMap((room) => {
    const folder = path.join(rooms, room, 'browser');
    const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
    return names
      .filter((name) => /\.entry\.(ts|css)$/.test(name))
      .map((name) => ({ in: path.join(folder, name), out: name.split('.')[0] }));
  });
  require(packagePath('esbuild')).buildSync({
    absWorkingDir: ROOT,
    entryPoints: entries,
    outdir: path.join(ROOT, 'dist/web'),
    bundle: true,
    minify: true,
    sourcemap: true,
    format: 'iife',
    // Of Android's WebView on old phones.
    target: ['chrome80', 'safari15'],
    charset: 'utf8',
    logLevel: 'warning',
  });
}

/** Paths and contents of all sources; undefined in a folder that has the build alone. */
function hashSources() {
  if (!fs.existsSync(path.join(ROOT, 'src'))) return undefined;
  const hash = createHash('sha256');
  const add = (name) => {
    const file = path.join(ROOT, name);
    if (fs.statSync(file).isDirectory())
      for (const entry of fs.readdirSync(file).sort()) add(`${name}/${entry}`);
    else if (!/\.spec\.tsx?$/.test(name)) hash.update(`${name}\0`).update(fs.readFileSync(file)).update('\0');
  };
  SOURCES.filter((name) => fs.existsSync(path.join(ROOT, name))).forEach(add);
  return hash.digest('hex');
}

function isBuilt(sources) {
  if (!fs.existsSync(OUTPUT)) return false;
  return sources === undefined || (fs.existsSync(STAMP) && fs.readFileSync(STAMP, 'utf8') === sources);
}

const mode = process.argv[2];
checkNode();
checkPackages();
const sources = hashSources();
if (mode !== '--if-stale' || !isBuilt(sources)) {
  checkBuilder();
  if (mode === '--pages') buildPages();
  else {
    console.error('Building...');
    fs.rmSync(path.join(ROOT, 'dist'), { recursive: true, force: true });
    const { status } = spawnSync(process.execPath, [NEST, 'build'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
    if (status !== 0) process.exit(status || 1);
    buildPages();
    fs.writeFileSync(STAMP, sources || '');
  }
}
