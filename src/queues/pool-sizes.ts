/** Queues of the application; a process with workers works on all of them. */
export const QUEUES = 8;

/** Connections per queue, of which one is for LISTEN. */
export const PRODUCER_POOL = 2;

/** Connections of all workers of a process: four are busy, four are not. */
export const WORKER_CONNECTIONS = 4 * 9 + 4 * 3;

/**
 * Connections of a worker, of which one is for LISTEN. Each job ends with a commit, and those of the same time go to disk
 * together: with eight at a time a process sends about a quarter more messages than with four.
 * @param concurrency jobs at a time.
 */
export const workerPool = (concurrency: number): number => (concurrency > 16 ? 9 : 3);
