import { access, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

/**
 * Node's module hooks for our TypeScript: a source is read from the build (`global-setup.mjs` makes it), as users run it; what
 * the build leaves out, such as tests, is compiled when it is loaded.
 */

const SOURCES = new URL('../../src/', import.meta.url).href;
const BUILD = new URL('../../dist/src/', import.meta.url).href;

export async function resolve(specifier, context, next) {
  if (!/^\.{1,2}\/.*\.js$/.test(specifier) || context.parentURL.includes('/node_modules/'))
    return next(specifier, context);
  const url = new URL(specifier, context.parentURL).href;
  const source = url.replace(BUILD, SOURCES).replace(/\.js$/, '');
  const candidates = [url.replace(SOURCES, BUILD), `${source}.ts`, `${source}.tsx`];
  for (const candidate of candidates)
    if (await exists(candidate)) return { url: candidate, format: 'module', shortCircuit: true };
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!/\.tsx?$/.test(new URL(url).pathname)) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), optionsOf(filename));
  return { format: 'module', source: code, shortCircuit: true };
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

async function exists(url) {
  try {
    await access(new URL(url));
    return true;
  } catch {
    return false;
  }
}
