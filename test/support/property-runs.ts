const FACTOR = Number(process.env.PROPERTY_RUNS ?? 1);

/** Runs of a property test: `usual` by default; `npm run torture -- properties` multiplies it. */
export const propertyRuns = (usual: number): number => usual * FACTOR;
