import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which phone a message went to follows from the order of the guide's events, not from clocks. */
export class OrdenDeEventos1795316400000 implements MigrationInterface {
  name = 'OrdenDeEventos1795316400000';

  async up(runner: QueryRunner): Promise<void> {
    // A guide's creation is its first event, even if another has the same time.
    await runner.query(`update eventos e set secuencia = contado.secuencia
      from (select comercio_id, guia_id, id, row_number() over (
          partition by comercio_id, guia_id order by tipo <> 'guia.creada', secuencia, id) as secuencia
        from eventos where (comercio_id, guia_id) in (
          select comercio_id, guia_id from eventos where tipo = 'guia.creada' and secuencia <> 1)) contado
      where e.comercio_id = contado.comercio_id and e.guia_id = contado.guia_id and e.id = contado.id
        and e.secuencia <> contado.secuencia`);
    // `secuencia` of the event that last changed the phone; null if none did. Effects of earlier events no longer
    // count.
    await runner.query('alter table guias add column telefono_secuencia integer');
    await runner.query(`update guias g set telefono_secuencia = coalesce((select min(e.secuencia) from eventos e
        where e.comercio_id = g.comercio_id and e.guia_id = g.id and e.creado_en >= g.telefono_desde), g.version)
      where telefono_desde is not null`);
    await runner.query('alter table guias drop column telefono_desde');
    // `secuencia` of the event that the link was sent for.
    await runner.query('alter table confirmaciones add column secuencia integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table confirmaciones drop column secuencia');
    await runner.query('alter table guias add column telefono_desde timestamptz(3)');
    await runner.query(`update guias g set telefono_desde = coalesce((select min(e.creado_en) from eventos e
        where e.comercio_id = g.comercio_id and e.guia_id = g.id and e.secuencia >= g.telefono_secuencia), now())
      where telefono_secuencia is not null`);
    await runner.query('alter table guias drop column telefono_secuencia');
  }
}
