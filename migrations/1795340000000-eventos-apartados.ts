import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An event that cannot be dispatched is parked: tried again later, beside the others. */
export class EventosApartados1795340000000 implements MigrationInterface {
  name = 'EventosApartados1795340000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table eventos add column intentos integer not null default 0,
      add column proximo_en timestamptz(3), add column causa text`);
    await runner.query('drop index eventos_pendientes_idx');
    await runner.query(
      'create index eventos_pendientes_idx on eventos (id) where despachado_en is null and proximo_en is null',
    );
    await runner.query(
      'create index eventos_apartados_idx on eventos (proximo_en) where despachado_en is null and proximo_en is not null',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index eventos_apartados_idx, eventos_pendientes_idx');
    await runner.query('alter table eventos drop column intentos, drop column proximo_en, drop column causa');
    await runner.query('create index eventos_pendientes_idx on eventos (id) where despachado_en is null');
  }
}
