import { UsageError } from '../../src/commands/run-command.js';
import { Lives } from '../support/lives.js';
import { addKeyCommands } from '../../src/commands/keys.commands.js';
import { runCommand } from '../support/run-command.js';
import { runNode } from '../support/service-process.js';
import { eventually } from '../support/eventually.js';
import { PanelBrowser } from '../support/panel.js';
import { APP_SECRET, client } from '../support/test-app.js';
import { useSharedApp } from '../support/use.js';

describe("an operator's keys", () => {
  const test = useSharedApp();
  const env = () => ({ DATABASE_URL: test.database.url, APP_SECRET });

  const keys = (...args: string[]) => runCommand('keys', addKeyCommands, args, env());
  const operators = () =>
    test.database.query<{ nombre: string }>('select nombre from operadores order by nombre');
  const keyCount = async () =>
    (await test.database.query<{ n: number }>('select count(*)::int as n from claves_api'))[0]!.n;

  it('are created, listed, rotated and revoked by command, and move guides of any merchant', async () => {
    const merchant = await test.merchant();
    const { id } = await new Lives(test, merchant).create();
    const move = async (key: string, estado: string) =>
      (await client(test.request, key).post(`/api/v1/operaciones/guias/${id}/eventos`, { estado })).status;

    const others = await operators();
    const named = ['--operator', ' Mensajería Ñandú '];
    const key = await keys('create', ...named, '--scopes', 'operaciones', '--label', 'ruta 7');
    expect(key).toEqual({
      key_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      api_key: expect.stringMatching(/^gk_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/),
      prefix: key.api_key.slice(0, 16),
    });
    expect(await operators()).toHaveLength(others.length + 1);
    expect(await operators()).toContainEqual({ nombre: 'Mensajería Ñandú' });
    expect(await move(key.api_key, 'en_camino_a_recoger')).toBe(201);
    expect((await client(test.request, key.api_key).get('/api/v1/guias')).status).toBe(403);

    const next = await keys('rotate', key.key_id, '--overlap', '1h');
    expect(await move(next.api_key, 'recogido')).toBe(201);
    expect(await move(key.api_key, 'en_ruta')).toBe(201);
    const revoked = await keys('revoke', key.key_id);
    expect(revoked).toMatchObject({ key_id: key.key_id, prefix: key.prefix });

    // The same name is the same operator: its events are shared by all of its keys.
    const third = await keys('create', '--operator', 'Mensajería Ñandú');
    expect(await operators()).toHaveLength(others.length + 1);
    const listed = await keys('list', '--operator', 'Mensajería Ñandú');
    const scopes = ['operaciones'];
    expect(listed.keys).toMatchObject([
      { key_id: third.key_id, label: null, scopes, expires: null, revoked: null },
      { key_id: next.key_id, label: 'ruta 7', scopes, expires: null, revoked: null },
      { key_id: key.key_id, label: 'ruta 7', scopes, expires: next.old_expires, revoked: revoked.revoked },
    ]);
    for (const { api_key } of [key, next, third]) expect(JSON.stringify(listed)).not.toContain(api_key);
    // A merchant's keys are not listed with them.
    expect((await keys('list', '--merchant', merchant.id)).keys).toMatchObject([{ key_id: merchant.keyId }]);
  });

  it('are not rotated once revoked: the message names the command that creates one', async () => {
    const { key_id } = await keys('create', '--operator', 'Otra');
    await keys('revoke', key_id);
    await expect(keys('rotate', key_id)).rejects.toThrow('keys create --operator');
  });

  it('that leaked end at once with their sessions in the panel, and the command says what they did', async () => {
    const merchant = await test.merchant();
    const session = await PanelBrowser.in(test, merchant);
    const headers = { 'x-request-id': `filtrada-${merchant.keyId}` };
    const other = await test.keyOf(merchant.id);
    await other.post('/api/v1/guias', {});
    await merchant.post('/api/v1/guias', {}, headers);
    await eventually(async () =>
      expect((await other.get(`/api/v1/solicitudes/${headers['x-request-id']}`)).status).toBe(200),
    );

    const next = await keys('rotate', merchant.keyId, '--leaked');
    expect(next).toMatchObject({ replaces: merchant.keyId, expires: null });
    expect(next.solicitudes).toEqual([
      {
        id: headers['x-request-id'],
        metodo: 'POST',
        ruta: '/api/v1/guias',
        ...{ status: 400, codigo: 'validacion', ms: expect.any(Number), en: expect.any(String) },
      },
    ]);
    await eventually(async () => expect((await merchant.get('/api/v1/guias')).status).toBe(401));
    expect((await session.get('/panel/guias')).status).toBe(303);
    expect((await client(test.request, next.api_key).get('/api/v1/guias')).status).toBe(200);
    const { keys: listed } = await keys('list', '--merchant', merchant.id);
    expect(listed[2]).toMatchObject({ key_id: merchant.keyId, revoked: next.old_expires });
  });

  it('that leaked are replaced by a key that is shown, though what they did cannot be read', async () => {
    const merchant = await test.merchant();
    await test.database.query('alter table solicitudes rename clave_id to clave_otra');
    try {
      const next = await keys('rotate', merchant.keyId, '--leaked');
      expect(next).toMatchObject({ replaces: merchant.keyId, solicitudes: null });
      expect((await client(test.request, next.api_key).get('/api/v1/guias')).status).toBe(200);
    } finally {
      await test.database.query('alter table solicitudes rename clave_otra to clave_id');
    }
  });

  const MISTAKES: [what: string, args: (merchantId: string) => string[], message: string][] = [
    ['without an owner', () => ['create'], '--merchant ID and --operator NAME'],
    [
      'with two owners',
      (id) => ['create', '--merchant', id, '--operator', 'Nueva'],
      '--merchant ID and --operator NAME',
    ],
    [
      'of an operator with a scope of merchants',
      () => ['create', '--operator', 'Nueva', '--scopes', 'guias:leer'],
      'guias:leer is none of an operator',
    ],
    [
      "of a merchant with the operators' scope",
      (id) => ['create', '--merchant', id, '--scopes', 'guias:leer,operaciones'],
      'operaciones is none of a merchant',
    ],
    [
      'of an operator with an expiry in the past',
      () => ['create', '--operator', 'Nueva', '--expires', '2020-01-01'],
      '--expires',
    ],
    [
      'rotated with an overlap although they leaked',
      (id) => ['rotate', id, '--leaked', '--overlap', '1h'],
      'leave --overlap out',
    ],
    [
      'of an operator that does not exist, in a list',
      () => ['list', '--operator', 'Nueva'],
      'no operator has the name Nueva',
    ],
  ];

  it.each(MISTAKES)('%s are refused in one line, and nothing is stored', async (_, args, message) => {
    const { id } = await test.merchant();
    const before = [await operators(), await keyCount()];
    const refusal = keys(...args(id)).catch((error: unknown) => {
      expect(error).toBeInstanceOf(UsageError);
      return (error as UsageError).message;
    });
    expect(await refusal).toContain(message);
    expect(await refusal).not.toContain('\n');
    expect([await operators(), await keyCount()]).toEqual(before);
  });

  it('the process of a refused command exits with 1, one line on standard error and nothing else', async () => {
    const { code, stdout, stderr } = await runNode('cli.js', ['keys', 'create', '--json'], env());
    expect({ code, stdout, lines: stderr.trim().split('\n').length }).toEqual({
      code: 1,
      stdout: '',
      lines: 1,
    });
    expect(stderr).toContain('--merchant ID and --operator NAME');
  });
});
