import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a statement asks, to be rolled back once its caller has stopped waiting. */
export class Deadline1795320000000 implements MigrationInterface {
  name = 'Deadline1795320000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function check_deadline(deadline_ms double precision) returns boolean
      language plpgsql volatile parallel unsafe as $$
      begin
        if extract(epoch from clock_timestamp()) * 1000 > deadline_ms then
          raise exception 'the deadline has passed' using errcode = '57X01';
        end if;
        return true;
      end $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function check_deadline(double precision)');
  }
}
