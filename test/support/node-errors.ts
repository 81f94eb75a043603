import { types } from 'node:util';

/**
 * Jest runs tests in a realm of their own, in which an error made by Node itself (ECONNRESET, for example) is not
 * an `instanceof Error`. This makes it one, as in production.
 */
function alsoOfNode(
  base: ErrorConstructor | AggregateErrorConstructor,
  isNodes: (error: Error) => boolean,
): void {
  Object.defineProperty(base, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      const isOurs = Function.prototype[Symbol.hasInstance].call(this as () => void, value);
      return isOurs || (this === base && types.isNativeError(value) && isNodes(value));
    },
  });
}

alsoOfNode(Error, () => true);
alsoOfNode(AggregateError, (error) => error.name === 'AggregateError');
