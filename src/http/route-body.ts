/** Bytes. */
export const KIB = 1024;
export const MIB = 1024 * KIB;

declare module 'fastify' {
  /** Which bodies a route takes, beside JSON of at most `BODY_LIMIT` bytes. */
  interface FastifyContextConfig {
    /** Bytes. */
    bodyLimit?: number;
    /** Whether the body is a list, which the caller may divide among several requests. */
    isBatch?: boolean;
    /** Whether the handler gets JSON as a Buffer, to verify a signature over its bytes. */
    takesRawJson?: boolean;
    /** Whether the handler also takes CSV, as a Buffer. */
    takesCsv?: boolean;
    /** Whether the handler also takes what a page's form sends. */
    takesForm?: boolean;
  }
}
