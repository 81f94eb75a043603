import { fileURLToPath } from 'node:url';

const project = {
  rootDir: fileURLToPath(new URL('..', import.meta.url)),
  testEnvironment: 'node',
  testRunner: '<rootDir>/test/support/native-runner.mjs',
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  transform: {},
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
    { ...project, displayName: 'clients', testMatch: [spec('test/clients')] },
    {
      ...project,
      displayName: 'slow',
      testMatch: ['smoke', 'browser', 'embedded', 'hostile', 'torture', 'postman', 'third-party'].map(
        (folder) => spec(`test/${folder}`),
      ),
      globalSetup: '<rootDir>/test/support/slow-setup.mjs',
    },
  ],
  // For hangs alone: no test depends on how fast the machine is.
  testTimeout: 120_000,
  // On two cores: half of the suite's time is waiting for PostgreSQL, Redis and other processes.
  maxWorkers: 4,
  // Also keeps Jest from running a few files in its own process, where `--watch` would not load them anew.
  workerIdleMemoryLimit: '1GB',
  // ms; a busy machine takes more than the default of 0.5 s to free the memory of a worker that has ended.
  workerGracefulExitTimeout: 10_000,
  testSequencer: '<rootDir>/test/support/sequencer.mjs',
  reporters: [
    'default',
    ...['skipped', 'slowest'].map((name) => `<rootDir>/test/support/${name}.reporter.mjs`),
  ],
};
