import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keys of incoming messages that are still stored: before, and now. */
const KEYS = [
  ['de', 'from'],
  ['respondeA', 'answers'],
  ['texto', 'text'],
  ['mensajeProveedor', 'proveedorId'],
  ['fallo', 'failure'],
  ['causa', 'message'],
];
const KINDS = [
  ['ubicacion', 'location'],
  ['boton', 'button'],
  ['texto', 'text'],
  ['estado', 'status'],
];

/** An older answer of a recipient no longer replaces a newer one; what is stored of incoming messages is in English. */
export class Respuestas1795341000000 implements MigrationInterface {
  name = 'Respuestas1795341000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table guias add column respuesta_id uuid');
    await rewrite(runner, (body) => {
      const { tipo, ...rest } = body;
      return { kind: renamed(KINDS, String(tipo)), ...renamedKeys(KEYS, rest) };
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    const back = (pairs: string[][]) => pairs.map(([old, now]) => [now!, old!]);
    await rewrite(runner, (body) => {
      const { kind, ...rest } = body;
      return { tipo: renamed(back(KINDS), String(kind)), ...renamedKeys(back(KEYS), rest) };
    });
    await runner.query('alter table guias drop column respuesta_id');
  }
}

type Body = Record<string, unknown>;

/** Few rows have a body: those not processed yet, and those that a question to the recipient is about. */
async function rewrite(runner: QueryRunner, change: (body: Body) => Body): Promise<void> {
  const rows = (await runner.query('select id, cuerpo from entrantes where cuerpo is not null')) as {
    id: string;
    cuerpo: string;
  }[];
  for (const { id, cuerpo } of rows)
    await runner.query('update entrantes set cuerpo = $2 where id = $1', [
      id,
      JSON.stringify(change(JSON.parse(cuerpo) as Body)),
    ]);
}

function renamed(pairs: string[][], name: string): string {
  return pairs.find(([from]) => from === name)?.[1] ?? name;
}

function renamedKeys(pairs: string[][], value: unknown): object {
  const entries = Object.entries(value as Body).map(([key, inner]) => [
    renamed(pairs, key),
    typeof inner === 'object' && inner !== null ? renamedKeys(pairs, inner) : inner,
  ]);
  return Object.fromEntries(entries) as object;
}
