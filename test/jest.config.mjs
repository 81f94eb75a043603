import { fileURLToPath } from 'node:url';

// Jest 30 runs native ESM only on Node 24, so tests run as CommonJS: our TypeScript and the packages
// that ship ESM alone are transformed. What production runs (ESM) is covered by the smoke test.
const PARSERS = {
  ts: { syntax: 'typescript', decorators: true },
  tsx: { syntax: 'typescript', tsx: true },
  js: { syntax: 'ecmascript' },
};

const swc = (language) => [
  '@swc/jest',
  {
    jsc: {
      target: 'es2022',
      parser: PARSERS[language],
      transform: {
        legacyDecorator: true,
        decoratorMetadata: true,
        useDefineForClassFields: false,
        react: { runtime: 'automatic', importSource: 'preact' },
      },
    },
    module: { type: 'commonjs' },
    isModule: 'unknown',
  },
];

/** Packages without a CommonJS build. */
const esmOnly = ['@nestjs', 'cookie', 'content-disposition', 'uuid', 'find-my-way', 'preact'].join('|');

export default {
  rootDir: fileURLToPath(new URL('..', import.meta.url)),
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testEnvironment: 'node',
  testRegex: '\\.spec\\.ts$',
  testTimeout: 30_000,
  // Half of the suite's time is waiting (for time limits, stops, other processes), which few would do alone.
  maxWorkers: 3,
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  setupFiles: ['reflect-metadata'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1', '$1.js'] },
  transform: { '^.+\\.ts$': swc('ts'), '^.+\\.tsx$': swc('tsx'), '^.+\\.m?js$': swc('js') },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly})/)`],
};
