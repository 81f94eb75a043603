import { Lives } from '../support/lives.js';
import { guias, runNode } from '../support/service-process.js';
import { APP_SECRET, client, createTestApp, type TestApp } from '../support/test-app.js';

/** Each command is a process of its own. */
const TIME_MS = 60_000;

describe("an operator's keys", () => {
  let test: TestApp;
  let env: Record<string, string>;

  beforeAll(async () => {
    test = await createTestApp({ env: { ROLE: 'api' } });
    env = { DATABASE_URL: test.database.url, APP_SECRET };
  });
  afterAll(() => test.close());

  const operators = () =>
    test.database.query<{ nombre: string }>('select nombre from operadores order by nombre');
  const keyCount = async () =>
    (await test.database.query<{ n: number }>('select count(*)::int as n from claves_api'))[0]!.n;

  it(
    'are made, listed, rotated and revoked, and move guides of any merchant',
    async () => {
      const merchant = await test.merchant();
      const { id } = await new Lives(test, merchant).create();
      const move = async (key: string, estado: string) =>
        (await client(test.request, key).post(`/api/v1/operaciones/guias/${id}/eventos`, { estado })).status;

      const named = ['--operator', ' Mensajería Ñandú '];
      const key = await guias(
        ['keys', 'create', ...named, '--scopes', 'operaciones', '--label', 'ruta 7'],
        env,
      );
      expect(key).toEqual({
        key_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        api_key: expect.stringMatching(/^gk_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/),
        prefix: key.api_key.slice(0, 16),
      });
      expect(await operators()).toEqual([{ nombre: 'Mensajería Ñandú' }]);
      expect(await move(key.api_key, 'en_camino_a_recoger')).toBe(201);
      expect((await client(test.request, key.api_key).get('/api/v1/guias')).status).toBe(403);

      const next = await guias(['keys', 'rotate', key.key_id, '--overlap', '1h'], env);
      expect(await move(next.api_key, 'recogido')).toBe(201);
      expect(await move(key.api_key, 'en_ruta')).toBe(201);
      const revoked = await guias(['keys', 'revoke', key.key_id], env);
      expect(revoked).toMatchObject({ key_id: key.key_id, prefix: key.prefix });

      // The same operator again: its events are one's, whichever key they came with.
      const third = await guias(['keys', 'create', '--operator', 'Mensajería Ñandú'], env);
      expect(await operators()).toHaveLength(1);
      const listed = await guias(['keys', 'list', '--operator', 'Mensajería Ñandú'], env);
      const scopes = ['operaciones'];
      expect(listed.keys).toMatchObject([
        { key_id: third.key_id, label: null, scopes, expires: null, revoked: null },
        { key_id: next.key_id, label: 'ruta 7', scopes, expires: null, revoked: null },
        { key_id: key.key_id, label: 'ruta 7', scopes, expires: next.old_expires, revoked: revoked.revoked },
      ]);
      for (const { api_key } of [key, next, third]) expect(JSON.stringify(listed)).not.toContain(api_key);
      // Those of a merchant are another list.
      expect((await guias(['keys', 'list', '--merchant', merchant.id], env)).keys).toMatchObject([
        { key_id: merchant.keyId },
      ]);
    },
    TIME_MS,
  );

  it(
    'that are made by rotation of a revoked one are none: the message says how to make another',
    async () => {
      const { key_id } = await guias(['keys', 'create', '--operator', 'Otra'], env);
      await guias(['keys', 'revoke', key_id], env);
      const { code, stderr } = await runNode('cli.js', ['keys', 'rotate', key_id, '--json'], env);
      expect([code, stderr]).toEqual([1, expect.stringContaining('keys create --operator')]);
    },
    TIME_MS,
  );

  it.each<[what: string, args: (merchantId: string) => string[], says: string]>([
    ['nobody', () => ['create'], '--merchant ID and --operator NAME'],
    [
      'both',
      (id) => ['create', '--merchant', id, '--operator', 'Nueva'],
      '--merchant ID and --operator NAME',
    ],
    [
      'an operator with a scope of merchants',
      () => ['create', '--operator', 'Nueva', '--scopes', 'guias:leer'],
      'guias:leer is none of an operator',
    ],
    [
      "a merchant with the operators' scope",
      (id) => ['create', '--merchant', id, '--scopes', 'guias:leer,operaciones'],
      'operaciones is none of a merchant',
    ],
    [
      'an operator, that is over already',
      () => ['create', '--operator', 'Nueva', '--expires', '2020-01-01'],
      '--expires',
    ],
    [
      'an operator that does not exist, in a list',
      () => ['list', '--operator', 'Nueva'],
      'no operator has the name Nueva',
    ],
  ])(
    'are not those of %s: one line says so, and nothing is kept',
    async (_, args, says) => {
      const { id } = await test.merchant();
      const before = [await operators(), await keyCount()];
      const { code, stdout, stderr } = await runNode('cli.js', ['keys', ...args(id), '--json'], env);
      expect({ code, stdout, lines: stderr.trim().split('\n').length }).toEqual({
        code: 1,
        stdout: '',
        lines: 1,
      });
      expect(stderr).toContain(says);
      expect([await operators(), await keyCount()]).toEqual(before);
    },
    TIME_MS,
  );
});
