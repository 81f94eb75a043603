/** A value is remembered for this many times what it took to load, so that loading takes little of the database. */
const REST = 10;

/** ms; what is loaded as quickly is never remembered. */
const QUICK_MS = 1_000;

/** A value that is loaded for each reader, unless that takes long: then readers get the last one, and it is loaded beside. */
export class Remembered<T> {
  private last: { value: T; until: number } | undefined;
  private loading: Promise<T> | undefined;

  constructor(private readonly load: () => Promise<T>) {}

  read(): Promise<T> {
    if (this.last && performance.now() < this.last.until) return Promise.resolve(this.last.value);
    const { last } = this;
    const loading = (this.loading ??= this.reload().finally(() => (this.loading = undefined)));
    if (!last) return loading;
    loading.catch(() => undefined);
    return Promise.resolve(last.value);
  }

  private async reload(): Promise<T> {
    const began = performance.now();
    const value = await this.load();
    const took = performance.now() - began;
    this.last = took < QUICK_MS ? undefined : { value, until: performance.now() + REST * took };
    return value;
  }
}
