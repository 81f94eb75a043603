/** Thrown by a job handler to run the job again later. */
export class RetryLater extends Error {
  /** @param message why, in Spanish, for the board. @param delayMs milliseconds until the next attempt. */
  constructor(
    message: string,
    readonly delayMs: number,
  ) {
    super(message);
  }
}

/** Thrown by a job handler to pause its queue; does not count as an attempt of the job. */
export class PauseQueue extends Error {
  /** @param pauseMs milliseconds. */
  constructor(readonly pauseMs: number) {
    super('the queue pauses');
  }
}

/**
 * Thrown for an unknown job name: during a deploy, a newer version's job waits for a worker of that version. The
 * parameter's type makes the compiler check that the processor handles every name.
 */
export class UnknownJob extends RetryLater {
  constructor(name: never) {
    super(`Este proceso no conoce la tarea ${String(name)}.`, 60_000);
  }
}
