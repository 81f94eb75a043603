declare global {
  /** Set in `globals` of the jest configuration that runs property tests at length. Default 1. */
  var PROPERTY_RUNS_FACTOR: number | undefined;
}

/** Runs of a property test: `usual` by default, a multiple of it in the long suite. */
export const propertyRuns = (usual: number): number => usual * (globalThis.PROPERTY_RUNS_FACTOR ?? 1);
