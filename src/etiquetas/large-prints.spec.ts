import { LargePrints } from './large-prints.js';

/** A print that ends when it is told. */
function held() {
  let end!: { resolve: () => void; reject: (error: Error) => void };
  const promise = new Promise<void>((resolve, reject) => {
    end = { resolve, reject };
  });
  return { promise, ...end };
}

describe('LargePrints', () => {
  it('draws one print at a time, and goes on after one that failed', async () => {
    const prints = new LargePrints();
    const begun: string[] = [];
    const first = held();
    const begin = (name: string) => () => {
      begun.push(name);
      return name === 'a' ? first.promise : Promise.resolve();
    };
    const [a, b] = [prints.run('a', begin('a')), prints.run('b', begin('b'))];
    await Promise.resolve();
    expect(begun).toEqual(['a']);
    first.reject(new Error('no paper'));
    await expect(a).rejects.toThrow('no paper');
    await b;
    expect(begun).toEqual(['a', 'b']);
  });

  it('refuses a second one of a merchant until the first is done', async () => {
    const prints = new LargePrints();
    const first = held();
    const running = prints.run('a', () => first.promise);
    await expect(prints.run('a', () => Promise.resolve())).rejects.toMatchObject({
      codigo: 'demasiadas_solicitudes',
      headers: { 'Retry-After': '5' },
    });
    first.resolve();
    await running;
    await expect(prints.run('a', () => Promise.resolve('done'))).resolves.toBe('done');
  });
});
