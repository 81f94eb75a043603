import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An answered request, to be found by its `X-Request-Id`. No bodies, no addresses, no texts. */
@Entity('solicitudes')
@Index('solicitudes_peticion_idx', ['peticion'])
@Index('solicitudes_clave_idx', ['clave_id', 'id'], { where: 'clave_id is not null' })
export class Solicitud {
  /** UUID version 7 of the time of the answer. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'solicitudes_pkey' })
  id: string;

  /** `X-Request-Id`; not unique where callers choose it. */
  @Column({ type: 'text' })
  peticion: string;

  @Column({ type: 'text' })
  metodo: string;

  /** Template of the path, without ids or tokens; null for an unknown path. */
  @Column({ type: 'text', nullable: true })
  ruta: string | null;

  /** HTTP status. */
  @Column({ type: 'smallint' })
  estado: number;

  /** Of an error. */
  @Column({ type: 'text', nullable: true })
  codigo: string | null;

  /** Time to answer. */
  @Column({ type: 'integer' })
  ms: number;

  @Column({ type: 'uuid', nullable: true })
  comercio_id: string | null;

  @Column({ type: 'uuid', nullable: true })
  operador_id: string | null;

  /** Null also for a session of the panel that began by mail, and for a request from before it was kept. */
  @Column({ type: 'uuid', nullable: true })
  clave_id: string | null;
}
