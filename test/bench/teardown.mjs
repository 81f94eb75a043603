// What is started is stopped, whatever happens: at the end, on a failure, on Ctrl-C.
const steps = [];
let tearing;

/** Does this at the end, before what was said earlier. */
export const atTheEnd = (step) => void steps.unshift(step);

function tearDown() {
  tearing ??= (async () => {
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        // The next steps are owed all the same.
        console.error(error);
      }
    }
  })();
  return tearing;
}

/** Runs the whole of a bench, and then ends the process. */
export async function withTeardown(run) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      console.error(`${signal}: stopping`);
      void tearDown().then(() => process.exit(1));
    });
  try {
    await run();
  } catch (error) {
    // What fails during a teardown fails because of it.
    if (!tearing) console.error(error);
    process.exitCode = 1;
  }
  await tearDown();
  process.exit();
}
