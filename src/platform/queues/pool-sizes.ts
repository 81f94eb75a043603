/** Connections of a process for adding and counting jobs, shared by all its queues. */
export const PRODUCER_POOL = 4;

/** Connections of all workers of a process, by `workerPool`: four have more than 16 jobs at a time, five have fewer. */
export const WORKER_CONNECTIONS = 4 * 9 + 5 * 3;

/**
 * Connections of a worker, of which one is for LISTEN. Each job ends with a commit, and those of the same time go to disk
 * together: with eight at a time a process sends about a quarter more messages than with four.
 * @param concurrency jobs at a time.
 */
export const workerPool = (concurrency: number): number => (concurrency > 16 ? 9 : 3);
