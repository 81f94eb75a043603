/** Connections of the service's pool, per process. Ten saturate two cores; more would only queue inside PostgreSQL. */
export const POOL_SIZE = 10;
