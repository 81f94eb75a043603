import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { quoted } from '../../../platform/database/quoted.js';
import { RESULTADOS, type Accion, type Resultado } from './acciones.js';

/** An action of support. Written before the action, so that none is done without a row. */
@Entity('auditoria')
@Unique('auditoria_clave_key', ['clave'])
@Index('auditoria_guia_idx', ['guia', 'id'], { where: 'guia is not null' })
@Index('auditoria_en_curso_idx', ['id'], { where: `resultado = 'en_curso'` })
@Check('auditoria_guia_check', `guia ~ '^[1-9][0-9]{11}$'`)
@Check('auditoria_detalle_check', 'char_length(detalle) between 1 and 500')
@Check('auditoria_nota_check', 'char_length(nota) between 1 and 500')
@Check('auditoria_resultado_check', `resultado in (${quoted(Object.keys(RESULTADOS))})`)
export class Auditoria {
  /** UUID version 7: in order of time. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'auditoria_pkey' })
  id: string;

  /** Idempotency key of the form: a form submitted twice acts once. */
  @Column({ type: 'uuid' })
  clave: string;

  /** Name in BOARD_USERS. */
  @Column({ type: 'text' })
  usuario: string;

  @Column({ type: 'text' })
  accion: Accion;

  @Column({ type: 'text', nullable: true })
  guia: string | null;

  @Column({ type: 'uuid', nullable: true })
  comercio_id: string | null;

  @Column({ type: 'uuid', nullable: true })
  webhook_id: string | null;

  /** Details of the subject: a delivery's id, a queue and job. Never a phone. */
  @Column({ type: 'text', nullable: true })
  detalle: string | null;

  /** Of an action that its process did not end, `interrumpida` once that process is gone. */
  @Column({ type: 'text' })
  resultado: Resultado;

  /** The answer to the user. */
  @Column({ type: 'text', nullable: true })
  nota: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  creado_en: Date;

  /** Of `procesos`; null in rows of earlier versions. */
  @Column({ type: 'uuid', nullable: true })
  proceso_id: string | null;
}
