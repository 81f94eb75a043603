import type { MigrationInterface, QueryRunner } from 'typeorm';

const LIMIT = 100_000_000;
const FORMER_LIMIT = 1_000_000;

/** Amounts of currencies whose cents nobody uses have two digits more; the service knows the limit of each currency. */
export class MontosAltos1796255000000 implements MigrationInterface {
  name = 'MontosAltos1796255000000';

  up(runner: QueryRunner): Promise<void> {
    return setLimit(runner, LIMIT);
  }

  /** Amounts that are higher by then stay. */
  down(runner: QueryRunner): Promise<void> {
    return setLimit(runner, FORMER_LIMIT);
  }
}

/** `not valid`: what is stored need not be read again, for the wider limit holds for it, and the former one must not fail. */
async function setLimit(runner: QueryRunner, limit: number): Promise<void> {
  await runner.query('alter domain monto drop constraint monto_check');
  await runner.query(
    `alter domain monto add constraint monto_check check (value between 0 and ${limit}) not valid`,
  );
}
