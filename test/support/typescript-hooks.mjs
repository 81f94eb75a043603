import { access } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';

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
  const { pathname } = new URL(url);
  if (!/\.tsx?$/.test(pathname)) return next(url, context);
  const { code } = await transformFile(fileURLToPath(url), {
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true, tsx: pathname.endsWith('.tsx') },
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
  return { format: 'module', source: code, shortCircuit: true };
}

async function exists(url) {
  try {
    await access(url);
    return true;
  } catch {
    return false;
  }
}
