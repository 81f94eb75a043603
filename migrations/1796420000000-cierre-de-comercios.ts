import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A merchant can be closed: its keys only read from then on, and its endpoints end once they have heard of it. */
export class CierreDeComercios1796420000000 implements MigrationInterface {
  name = 'CierreDeComercios1796420000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table comercios add cerrado_en timestamptz(3), add cerrado_por text,
      add cierre_hecho_en timestamptz(3)`);
    await runner.query('alter table webhooks add termina_en timestamptz(3)');
    // Each statement of a volatile function sees what was committed before it, also while the create waited for the closing.
    await runner.query(`
      create function comercios_cerrados(ids uuid[]) returns uuid[]
      language plpgsql volatile parallel unsafe as $$
      declare
        uno uuid;
      begin
        foreach uno in array ids loop
          -- An expression, which costs a tenth of a statement.
          if pg_advisory_xact_lock_shared(uuid_hash_extended(uno, 22)) is null then null; end if;
        end loop;
        return array(select id from comercios where id = any (ids) and cerrado_en is not null);
      end $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function comercios_cerrados(uuid[])');
    await runner.query('alter table webhooks drop termina_en');
    await runner.query('alter table comercios drop cerrado_en, drop cerrado_por, drop cierre_hecho_en');
  }
}
