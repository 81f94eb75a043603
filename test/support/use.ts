import { createCloudApp, type CloudApp } from './cloud.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { createBridgedApp, type BridgedApp } from './messaging.js';
import { createTestApp, sharedApp, type TestApp, type TestAppOptions } from './test-app.js';

/**
 * Opens something before the tests of a block, and closes it after them: by its `close`, if it has one. What is returned
 * has its members and its class from then on: in tests and hooks, not beside them.
 */
export function opened<T extends object>(
  open: () => Promise<T>,
  close: (resource: T) => unknown = closed,
): T {
  const resource = {} as T;
  beforeAll(async () => {
    const made = await open();
    Object.assign(Object.setPrototypeOf(resource, Object.getPrototypeOf(made)) as T, made);
  });
  afterAll(() => close(resource));
  return resource;
}

function closed(resource: object): unknown {
  return 'close' in resource && typeof resource.close === 'function' ? resource.close() : undefined;
}

/** A database for a block of tests. */
export const useDatabase = (template?: string): TestDatabase =>
  opened(
    () => createTestDatabase(template),
    (database) => database.drop(),
  );

/** The app that files share, for a block of tests. */
export const useSharedApp = (): TestApp => opened(sharedApp);

/** An app for a block of tests, of its own. */
export const useTestApp = (options?: TestAppOptions): TestApp => opened(() => createTestApp(options));

/** An app with a bridge of its own, for a block of tests. */
export const useBridgedApp = (options?: TestAppOptions): BridgedApp =>
  opened(() => createBridgedApp(options));

/** An app with a Cloud API of its own, for a block of tests. */
export const useCloudApp = (options?: TestAppOptions): CloudApp => opened(() => createCloudApp(options));
