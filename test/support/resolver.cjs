const { existsSync } = require('node:fs');
const { resolve } = require('node:path');

/** Its CommonJS build uses `import()`, which needs a flag of Node's inside Jest; of the other build we transform it. */
const WITH_IMPORTS = /^@opentelemetry\/otlp-exporter-base(\/|$)/;

const asModule = (options) => ({ ...options, conditions: [...(options.conditions ?? []), 'module'] });

/**
 * Finds our TypeScript where an import names the JavaScript that it becomes (`./app.js`). Jest's `moduleNameMapper` does
 * that too, but matches every request of the 3,000 modules of an app, and searches most of them twice.
 */
module.exports = (request, options) => {
  if (/^\.{1,2}\/.*\.js$/.test(request) && !options.basedir.includes('/node_modules/')) {
    const path = resolve(options.basedir, request.slice(0, -'.js'.length));
    for (const extension of ['.ts', '.tsx']) if (existsSync(path + extension)) return path + extension;
  }
  return options.defaultResolver(request, WITH_IMPORTS.test(request) ? asModule(options) : options);
};
