import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { jestExpect as expect } from '@jest/expect';
import { ModernFakeTimers } from '@jest/fake-timers';
import { createEmptyTestResult } from '@jest/test-result';
import * as circus from 'jest-circus';
import { formatExecError, formatResultsErrors } from 'jest-message-util';
import { ModuleMocker } from 'jest-mock';
import fc from 'fast-check';
import 'reflect-metadata';

/**
 * Jest's `testRunner`. Jest's own loads every module anew for each test file: with it, the suite takes 2.5 times the CPU.
 * Here the files that one process runs share their modules, which Node loads (`typescript-hooks.mjs`).
 * Mocks, timers and environment variables are put back after each file. There is no `jest.mock`, and no snapshot.
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
  try {
    await import(pathToFileURL(testPath).href);
    return toTestResult(await circus.run(), globalConfig, config, testPath);
  } finally {
    mocker.restoreAllMocks();
    timers.useRealTimers();
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
  }
}

register('./typescript-hooks.mjs', import.meta.url);
process.setSourceMapsEnabled(true);

// CI says the same of a commit twice. Elsewhere property tests draw new inputs each time, and `npm run torture` many more.
if (process.env.CI && !process.env.PROPERTY_RUNS) fc.configureGlobal({ seed: 1 });

const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({ global: globalThis, config: { fakeTimers: {} } });

const { describe, it, test, beforeAll, beforeEach, afterAll, afterEach } = circus;
Object.assign(globalThis, { describe, it, test, beforeAll, beforeEach, afterAll, afterEach, expect });
globalThis.jest = Object.assign(timers, {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks: () => mocker.restoreAllMocks(),
});

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
    status: status === 'skip' ? 'pending' : errors.length > 0 ? 'failed' : 'passed',
    ancestorTitles: titles.slice(0, -1),
    title: titles.at(-1),
    fullName: titles.join(' '),
    failureMessages: errors,
    failureDetails: errorsDetailed,
  };
}
