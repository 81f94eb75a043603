import { fileURLToPath } from 'node:url';

// Jest 30 runs native ESM on Node 24 only, so tests run as CommonJS: our TypeScript and the packages that ship
// ESM alone are transformed. The smoke tests cover what production runs (ESM).
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
    // In files of their own: inline ones are two thirds of what is compiled, once for each test file.
    sourceMaps: true,
  },
];

/** Packages without a CommonJS build, or whose one does not work in Jest. */
const esmOnly = [
  ...['@nestjs', 'uuid', 'find-my-way', 'preact', 'country-to-currency'],
  '@opentelemetry/otlp-exporter-base',
].join('|');

const project = {
  rootDir: fileURLToPath(new URL('..', import.meta.url)),
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  setupFiles: ['reflect-metadata'],
  resolver: '<rootDir>/test/support/resolver.cjs',
  transform: { '^.+\\.ts$': swc('ts'), '^.+\\.tsx$': swc('tsx'), '^.+\\.m?js$': swc('js') },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly})/)`],
};

const spec = (folder) => `<rootDir>/${folder}/**/*.spec.ts`;

export default {
  rootDir: project.rootDir,
  projects: [
    {
      ...project,
      displayName: 'suite',
      testMatch: ['<rootDir>/test/*.spec.ts', ...['src', 'test/e2e', 'test/integration'].map(spec)],
    },
    {
      ...project,
      displayName: 'slow',
      testMatch: [
        ...['smoke', 'browser', 'embedded', 'hostile', 'torture', 'postman', 'third-party'].map((folder) =>
          spec(`test/${folder}`),
        ),
        // Again, with ten times the runs.
        '<rootDir>/src/**/*-properties.spec.ts',
      ],
      globalSetup: '<rootDir>/test/support/slow-setup.mjs',
      globals: { PROPERTY_RUNS_FACTOR: 10 },
    },
  ],
  // For hangs alone: no test depends on how fast the machine is.
  testTimeout: 120_000,
  // On two cores: half of the suite's time is waiting for PostgreSQL, Redis and other processes.
  maxWorkers: 4,
  testSequencer: '<rootDir>/test/support/longest-first.sequencer.cjs',
  reporters: ['default', '<rootDir>/test/support/durations.reporter.mjs'],
};
