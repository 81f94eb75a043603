import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATE = 'estado, direccion_confirmada';

/** Each index with its definition before and after; null where there is none. */
const INDEXES: Record<string, [before: string | null, after: string | null]> = {
  guias_estado_idx: ['(comercio_id, estado, id)', `(comercio_id, ${STATE}, id)`],
  guias_direccion_confirmada_idx: ['(comercio_id, direccion_confirmada, id)', null],
  guias_actualizada_idx: ['(comercio_id, actualizada_en, id)', `(comercio_id, ${STATE}, actualizada_en, id)`],
  guias_todas_estado_idx: [null, `(de_prueba, ${STATE}, id)`],
  guias_todas_actualizada_idx: [null, `(de_prueba, ${STATE}, actualizada_en, id)`],
  guias_telefono_idx: [
    '(comercio_id, reverse(telefono) text_pattern_ops, id)',
    `(reverse(telefono) text_pattern_ops, comercio_id, ${STATE}, id)`,
  ],
  guias_municipio_idx: [
    '(clave_lugar(municipio), estado, id) where not de_prueba',
    `(clave_lugar(municipio), de_prueba, ${STATE}, id)`,
  ],
  guias_departamento_idx: [
    '(clave_lugar(departamento), estado, id) where not de_prueba',
    `(clave_lugar(departamento), de_prueba, ${STATE}, id)`,
  ],
  // Few guides have warnings, so these cost a create nothing. Codes are looked for among their entries.
  guias_advertencias_idx: [
    `(comercio_id, id) where advertencias <> '{}'`,
    `(comercio_id, ${STATE}, id, advertencias) where advertencias <> '{}'`,
  ],
  guias_advertencias_actualizada_idx: [
    null,
    `(comercio_id, ${STATE}, actualizada_en, id, advertencias) where advertencias <> '{}'`,
  ],
  guias_todas_advertencias_idx: [null, `(de_prueba, ${STATE}, id, advertencias) where advertencias <> '{}'`],
  guias_todas_advertencias_actualizada_idx: [
    null,
    `(de_prueba, ${STATE}, actualizada_en, id, advertencias) where advertencias <> '{}'`,
  ],
};

/**
 * Lists are merged from the guides of each state, confirmed or not, so every index of a list is led by these. One index
 * more than before holds every guide; operators' lists no longer read a page of each merchant.
 */
export class Listas1795530000000 implements MigrationInterface {
  name = 'Listas1795530000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, [before, after]] of Object.entries(INDEXES)) await replace(runner, name, before, after);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name, [before, after]] of Object.entries(INDEXES)) await replace(runner, name, after, before);
  }
}

async function replace(
  runner: QueryRunner,
  name: string,
  from: string | null,
  to: string | null,
): Promise<void> {
  if (from !== null) await runner.query(`drop index ${name}`);
  if (to !== null) await runner.query(`create index ${name} on guias ${to}`);
}
