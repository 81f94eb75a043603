/** Names of samplers, as OpenTelemetry defines them. */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** `name=value` pairs with percent-encoded values, comma-separated, as OpenTelemetry defines them. */
export const HEADERS_FORM = /^\s*[\w!#$%&'*+.^`|~-]+\s*=[^,]*(,\s*[\w!#$%&'*+.^`|~-]+\s*=[^,]*)*$/;

export interface TracingConfig {
  /** Base URL of the collector, without a slash at the end. */
  readonly endpoint: string;
  readonly serviceName: string;
  readonly sampler: (typeof SAMPLERS)[number];
  /** Part of the traces that `traceidratio` keeps, 0 to 1. */
  readonly ratio: number;
}
