import { verificarAviso } from '../../clients/typescript/src/index.js';
import { ListenCommand, type ListenProcess } from '../support/clients/listen-process.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { startHttpStub, type HttpStub } from '../support/http-stub.js';
import { createTestApp, guiaBody, type TestApp, type TestMerchant } from '../support/test-app.js';

describe('guias-client webhooks listen', () => {
  let test: TestApp;
  let tester: TestMerchant;
  let program: HttpStub;
  let command: ListenCommand;

  beforeAll(async () => {
    test = await createTestApp();
    tester = await test.tester();
    program = await startHttpStub();
    command = new ListenCommand();
  });
  afterEach(() => command.end());
  afterAll(async () => {
    await program.close();
    await test.close();
    command.remove();
  });

  const listen = (to = program.url) =>
    command.run(['--key', tester.key, '--forward-to', to, '--url', test.url]);
  const shows = (listening: ListenProcess, text: string | RegExp) =>
    eventually(() => expect(listening.output()).toMatch(text));
  const secretIn = ({ output }: ListenProcess) => /whsec_\S+/.exec(output())![0];
  const create = async (): Promise<{ guia: string; id: string }> =>
    (await tester.post('/api/v1/guias', guiaBody({ lat: 14.6, lng: -90.5 }))).body;
  const cancel = (id: string) => tester.post(`/api/v1/guias/${id}/cancelar`, {});
  const got = () => program.requests.map(({ json }) => `${json.data.guia.guia} ${json.type}`);

  it('passes each webhook on once, signed and in order, over restarts', async () => {
    const first = listen();
    await shows(first, 'Termine con Ctrl+C');
    const guias = [await create(), await create()];
    await cancel(guias[0]!.id);
    await eventually(() => expect(program.requests).toHaveLength(3));
    await shows(first, `guia.cancelada ${guias[0]!.guia} 200`);
    expect(await first.end('SIGINT')).toBe(0);
    const secreto = secretIn(first);
    for (const { rawBody, headers } of program.requests)
      expect(await verificarAviso(rawBody, headers as never, secreto)).toMatchObject({
        type: expect.any(String),
      });

    // While nobody listens; an answer of any kind settles one.
    await cancel(guias[1]!.id);
    guias.push(await create());
    program.otherwise({ status: 500 });
    const second = listen();
    await shows(second, `guia.creada ${guias[2]!.guia} 500`);
    expect(secretIn(second)).toBe(secreto);
    expect(await second.end('SIGTERM')).toBe(0);
    const expected = guias.flatMap(({ guia }, n) => [
      `${guia} guia.creada`,
      ...(n < 2 ? [`${guia} guia.cancelada`] : []),
    ]);
    expect(got().toSorted()).toEqual(expected.toSorted());
    for (const { guia } of guias.slice(0, 2))
      expect(got().filter((line) => line.startsWith(guia))).toEqual([
        `${guia} guia.creada`,
        `${guia} guia.cancelada`,
      ]);
  });

  it('waits for a program that does not listen yet, and ends at once on a signal', async () => {
    const port = await freePort();
    const to = `http://127.0.0.1:${port}/`;
    const waiting = listen(to);
    await shows(waiting, 'Termine con Ctrl+C');
    const { guia } = await create();
    await shows(waiting, `Nada responde en ${to}`);
    expect(await waiting.end('SIGTERM')).toBe(0);
    program.reset();
    program.otherwise({});
    const again = listen();
    await shows(again, `guia.creada ${guia} 200`);
    expect(await again.end('SIGTERM')).toBe(0);
    expect(got()).toEqual([`${guia} guia.creada`]);
  });

  it.each<[string, () => string[], RegExp]>([
    [
      'a wrong key',
      () => ['--key', 'gk_test_x', '--forward-to', program.url, '--url', test.url],
      /llave|clave/,
    ],
    ['no key', () => ['--forward-to', program.url, '--url', test.url], /GUIAS_CLAVE/],
    [
      'no service',
      () => ['--key', tester.key, '--forward-to', program.url, '--url', 'http://127.0.0.1:1'],
      /no responde/,
    ],
    [
      'a wrong URL',
      () => ['--key', tester.key, '--forward-to', program.url, '--url', 'localhost'],
      /GUIAS_URL/,
    ],
    ['no program', () => ['--key', tester.key, '--url', test.url], /--forward-to/],
    ['an unknown option', () => ['--puerto', '1'], /--puerto/],
  ])('says in one line that there is %s, and exits with 1', async (_, args, line) => {
    const failed = command.run(args());
    expect(await failed.end()).toBe(1);
    expect(failed.output().trim().split('\n')).toEqual([expect.stringMatching(line)]);
  });
});
