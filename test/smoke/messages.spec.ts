import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { APP_SECRET } from '../support/guia-body.js';
import { insertMerchant } from '../support/merchant-rows.js';
import { useOperatorCommands } from '../support/operator-commands.js';
import { createGuia, useServices, type ServiceProcess } from '../support/service-process.js';
import { useDatabase } from '../support/use.js';

/** A number with a right check digit that no guide has. */
const NOBODYS = '100000000008';

const { run, guias } = useOperatorCommands();
const on = ({ url }: TestDatabase) => ({ DATABASE_URL: url, APP_SECRET });

/** The built service with its sandbox. */
describe('the operator commands of messages', () => {
  const { start } = useServices();
  const database = useDatabase();
  let env: Record<string, string>;
  let service: ServiceProcess;
  let key: string;
  let guia: { id: string; guia: string };

  const create = async (over: Record<string, unknown>) =>
    (await (await createGuia(service, key, over)).json()) as { id: string; guia: string };
  /** Waits in the database until so many messages were taken: each look by a command would cost more. */
  const taken = (count: number) =>
    eventually(async () => {
      expect(await database.query(`select from mensajes where estado = 'aceptado'`)).toHaveLength(count);
    });
  const ofGuia = async (numero: string) => {
    const { messages } = (await guias(['sandbox', 'inbox'], env)) as { messages: any[] };
    return messages.filter((message) => message.guia === numero);
  };

  beforeAll(async () => {
    env = on(database);
    key = await insertMerchant(database);
    service = await start(env);
    guia = await create({ nombre: 'Ana López' });
  });

  it('list what the sandbox took, with links that work, while the service runs', async () => {
    await taken(1);
    const [message, ...more] = await ofGuia(guia.guia);
    expect(more).toEqual([]);
    expect(message).toEqual({
      id: expect.any(String),
      tipo: 'confirmacion_ubicacion',
      telefono: '+50255551234',
      texto: expect.stringContaining(message.enlace),
      enlace: expect.stringMatching(/^http:\/\/localhost:\d+\/c\/[\w-]{22,}$/),
      guia: guia.guia,
      comercio: expect.any(String),
      de_prueba: false,
      creado_en: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    const page = await fetch(message.enlace);
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining(guia.guia.replace(/(\d{4})(?=\d)/g, '$1 ')),
    ]);
  });

  it('list the messages of a guide', async () => {
    const { messages } = await guias(['messages', 'list', '--guia', guia.guia], env);
    expect(messages).toMatchObject([
      { tipo: 'confirmacion_ubicacion', estado: 'aceptado', proveedor: 'sandbox', intentos: 1, causa: null },
    ]);
  });

  it('send a second message with another link, and both links work', async () => {
    const { message_id } = await guias(['messages', 'resend', '--guia', guia.guia], env);
    await taken(2);
    const messages = await ofGuia(guia.guia);
    expect(messages).toHaveLength(2);
    expect(messages[0].id).toBe(message_id);
    expect(messages[0].enlace).not.toBe(messages[1].enlace);
    for (const { enlace } of messages) expect((await fetch(enlace)).status).toBe(200);
  });

  it.each([
    ['list', 'a number that no guide has', 'no guide has the number', NOBODYS],
    ['resend', 'a number that no guide has', 'no guide has the number', NOBODYS],
    ['list', 'no guide number', 'is no guide number', '123'],
    ['resend', 'no guide number', 'is no guide number', "1' or true --"],
  ])('messages %s answers %s with one line and exit code 1', async (command, _, words, numero) => {
    const ended = await run(['messages', command, '--guia', numero, '--json'], env);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain(words);
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
  });

  it('say in one line that a guide that has ended needs no message', async () => {
    const { id, guia: last } = await create({ lat: 14.5, lng: -90.5 });
    await database.query(`update guias set estado = 'cancelado' where id = $1`, [id]);
    const refused = await run(['messages', 'resend', '--guia', last], env);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^--guia: .*\n$/);
  });

  it('work while the service is stopped, and what they ask for is done at the next start', async () => {
    expect((await service.stop()).code).toBe(0);
    expect(await ofGuia(guia.guia)).toHaveLength(2);
    const { message_id } = await guias(['messages', 'resend', '--guia', guia.guia], env);
    service = await start(env);
    await taken(3);
    const { messages } = await guias(['messages', 'list', '--guia', guia.guia], env);
    expect(messages.at(-1)).toMatchObject({ id: message_id, estado: 'aceptado' });
  });
});

it('migrate also prepares the tables of the queues', async () => {
  const database = await createTestDatabase('template1');
  try {
    const tables = () =>
      database.query<{ n: number }>(`select count(*)::int as n from pg_tables where schemaname = 'bullmq'`);
    expect(await tables()).toEqual([{ n: 0 }]);
    const { applied } = await guias(['migrate'], on(database));
    expect(applied).toContain('Mensajes1795262400000');
    expect((await tables())[0]!.n).toBeGreaterThan(0);
    expect((await guias(['migrate'], on(database))).applied).toEqual([]);
  } finally {
    await database.drop();
  }
});
