import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform, version } from '@swc/core';

/** Node's module hooks for our TypeScript: `./app.js` is `./app.ts` where there is one, compiled when it is loaded. */

export async function resolve(specifier, context, next) {
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && !context.parentURL.includes('/node_modules/')) {
    for (const extension of ['.ts', '.tsx']) {
      const url = new URL(specifier.replace(/\.js$/, extension), context.parentURL);
      if (await exists(url)) return { url: url.href, format: 'module', shortCircuit: true };
    }
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!/\.tsx?$/.test(new URL(url).pathname)) return next(url, context);
  return { format: 'module', source: await compiled(fileURLToPath(url)), shortCircuit: true };
}

/** Compiled files, for all workers and runs: one for each source, which ends with the hash of what it was made from. */
const CACHE = new URL('../../node_modules/.cache/guias-test/', import.meta.url);

async function compiled(filename) {
  const source = await readFile(filename, 'utf8');
  const options = optionsOf(filename);
  const end = `\n//${hash(version, JSON.stringify(options), source)}\n`;
  const cached = new URL(`${hash(filename)}.js`, CACHE);
  const known = await readFile(cached, 'utf8').catch(() => '');
  if (known.endsWith(end)) return known;
  const { code } = await transform(source, options);
  // Renamed, because another worker may read it meanwhile.
  const draft = new URL(`${cached.href}.${process.pid}`);
  await mkdir(CACHE, { recursive: true });
  await writeFile(draft, code + end);
  await rename(draft, cached);
  return code;
}

const optionsOf = (filename) => ({
  filename,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true, tsx: filename.endsWith('.tsx') },
    transform: {
      legacyDecorator: true,
      decoratorMetadata: true,
      useDefineForClassFields: false,
      react: { runtime: 'automatic', importSource: 'preact' },
    },
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
  swcrc: false,
});

function hash(...parts) {
  return createHash('sha256').update(parts.join('\0')).digest('hex');
}

async function exists(url) {
  try {
    await access(url);
    return true;
  } catch {
    return false;
  }
}
