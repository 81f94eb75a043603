import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** Moves the guides of all merchants: a dispatcher, or a courier's system. */
@Entity('operadores')
@Unique('operadores_nombre_key', ['nombre'])
@Check('operadores_nombre_check', `char_length(nombre) between 1 and 120`)
export class Operador {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'operadores_pkey' })
  id: string;

  @Column({ type: 'text' })
  nombre: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  creado_en: Date;
}
