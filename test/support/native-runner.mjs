import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { jestExpect as expect } from '@jest/expect';
import { ModernFakeTimers } from '@jest/fake-timers';
import { createEmptyTestResult } from '@jest/test-result';
import * as circus from 'jest-circus';
import { formatExecError, formatResultsErrors } from 'jest-message-util';
import { ModuleMocker } from 'jest-mock';
import 'reflect-metadata';

/**
 * Jest's `testRunner`: runs a test file as Node runs it. Jest's own loads every module anew for each file, which is half
 * of what a file costs, and into a realm of its own, in which Node's errors are not an `instanceof Error`. Here the
 * modules that the files of one process share are loaded once, as native ES modules (`typescript-hooks.mjs`).
 *
 * What a file changes beyond its own modules is put back at its end: mocks, timers and environment variables. There is
 * no `jest.mock`, and there are no snapshots.
 */
export default async function runFile(globalConfig, config, _environment, _runtime, testPath) {
  circus.resetState();
  circus.setState({
    ...circus.getState(),
    ...(globalConfig.testTimeout && { testTimeout: globalConfig.testTimeout }),
    testNamePattern: globalConfig.testNamePattern ? new RegExp(globalConfig.testNamePattern, 'i') : undefined,
  });
  // Jest's own, which it sets for each file, has no source maps of ours; Node has.
  Error.prepareStackTrace = undefined;
  const env = { ...process.env };
  Object.assign(globalThis, config.globals);
  try {
    await import(urlOf(testPath));
    return toTestResult(await circus.run(), globalConfig, config, testPath);
  } finally {
    mocker.restoreAllMocks();
    timers.useRealTimers();
    for (const name of Object.keys(config.globals)) delete globalThis[name];
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
  }
}

register('./typescript-hooks.mjs', import.meta.url);
process.setSourceMapsEnabled(true);

const loaded = new Set();
const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({ global: globalThis, config: { fakeTimers: {} } });

const { describe, it, test, beforeAll, beforeEach, afterAll, afterEach } = circus;
Object.assign(globalThis, { describe, it, test, beforeAll, beforeEach, afterAll, afterEach, expect });
globalThis.jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  useFakeTimers: (options) => timers.useFakeTimers(options),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
  advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
  getTimerCount: () => timers.getTimerCount(),
};

circus.addEventHandler(({ name, test: done }) => {
  if (name !== 'test_done') return;
  for (const { error } of expect.extractExpectedAssertionsErrors()) done.errors.push([error, new Error()]);
});

// What nobody awaits belongs to the test under way, or to the file.
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error) => {
    const { currentlyRunningTest, unhandledErrors } = circus.getState();
    (currentlyRunningTest?.errors ?? unhandledErrors).push([error, new Error()]);
  });

/** Where a file's module is loaded from: anew where another project has run it in this process. */
function urlOf(testPath) {
  const url = pathToFileURL(testPath);
  if (loaded.has(testPath)) url.search = String(loaded.size);
  loaded.add(testPath);
  return url.href;
}

/** What Jest's reporters read. */
function toTestResult(
  { testResults, unhandledErrors, unhandledErrorsDetailed },
  globalConfig,
  config,
  testPath,
) {
  const results = testResults.map(toAssertionResult);
  const count = (status) => results.filter((result) => result.status === status).length;
  return {
    ...createEmptyTestResult(),
    displayName: config.displayName,
    failureMessage: [
      formatResultsErrors(results, config, globalConfig, testPath),
      ...unhandledErrorsDetailed.map((error) => formatExecError(error, config, globalConfig, testPath)),
    ]
      .filter(Boolean)
      .join('\n'),
    numFailingTests: count('failed'),
    numPassingTests: count('passed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    testExecError:
      unhandledErrors.length > 0 ? { message: '', stack: unhandledErrors.join('\n') } : undefined,
    testFilePath: testPath,
    testResults: results,
  };
}

function toAssertionResult({ status, errors, errorsDetailed, testPath, ...rest }) {
  const [, ...titles] = testPath;
  return {
    ...rest,
    status: { skip: 'pending', todo: 'todo' }[status] ?? (errors.length > 0 ? 'failed' : 'passed'),
    ancestorTitles: titles.slice(0, -1),
    title: titles.at(-1),
    fullName: titles.join(' '),
    failureMessages: errors,
    failureDetails: errorsDetailed,
  };
}
