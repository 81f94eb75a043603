import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A merchant can be closed: its keys only read from then on, and its endpoints end once they have heard of it. */
export class CierreDeComercios1796420000000 implements MigrationInterface {
  name = 'CierreDeComercios1796420000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table comercios add cerrado_en timestamptz(3), add cerrado_por text,
      add cierre_hecho_en timestamptz(3), add cierre_visto_en timestamptz(3)`);
    await runner.query('alter table webhooks add termina_en timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table webhooks drop termina_en');
    await runner.query(`alter table comercios drop cerrado_en, drop cerrado_por, drop cierre_hecho_en,
      drop cierre_visto_en`);
  }
}
