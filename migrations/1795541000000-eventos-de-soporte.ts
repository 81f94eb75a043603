import type { MigrationInterface, QueryRunner } from 'typeorm';

const BEFORE = `'comercio', 'operador', 'destinatario', 'sistema'`;

/** Events that support caused, which were recorded as the merchant's. */
export class EventosDeSoporte1795541000000 implements MigrationInterface {
  name = 'EventosDeSoporte1795541000000';

  async up(runner: QueryRunner): Promise<void> {
    await setActors(runner, `${BEFORE}, 'soporte'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`update eventos set actor = 'comercio' where actor = 'soporte'`);
    await setActors(runner, BEFORE);
  }
}

async function setActors(runner: QueryRunner, actors: string): Promise<void> {
  await runner.query('alter domain evento_actor drop constraint evento_actor_check');
  await runner.query(
    `alter domain evento_actor add constraint evento_actor_check check (value in (${actors}))`,
  );
}
