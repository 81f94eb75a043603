// Stops everything that a bench has started: at the end, on a failure, on Ctrl-C.
const steps = [];
let tearing;

/** Registers a step of the teardown; the last one registered runs first. */
export const atTheEnd = (step) => void steps.unshift(step);

function tearDown() {
  tearing ??= (async () => {
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        // The remaining steps still run.
        console.error(error);
      }
    }
  })();
  return tearing;
}

/** Runs a whole bench, and then ends the process. */
export async function withTeardown(run) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      console.error(`${signal}: stopping`);
      void tearDown().then(() => process.exit(1));
    });
  try {
    await run();
  } catch (error) {
    // A failure during the teardown is caused by it.
    if (!tearing) console.error(error);
    process.exitCode = 1;
  }
  await tearDown();
  process.exit();
}
