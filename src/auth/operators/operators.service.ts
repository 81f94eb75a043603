import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { v7 } from 'uuid';
import { isUuid } from '../../platform/database/row-id.js';
import { AppError } from '../../platform/errors/app-error.js';
import { Operador } from './operador.entity.js';
import type { Operator } from './operator.js';

/** Name of the operator that stands for the console. */
export const CONSOLE = 'Consola de despacho';

@Injectable()
export class OperatorsService {
  constructor(@InjectRepository(Operador) private readonly operators: Repository<Operador>) {}

  async findOrCreate(name: string): Promise<Operador> {
    await this.operators
      .createQueryBuilder()
      .insert()
      .values({ id: v7(), nombre: name })
      .orIgnore()
      .execute();
    return this.operators.findOneByOrFail({ nombre: name });
  }

  /** The operator that stands for the console, where a row needs one. */
  async console(): Promise<Operator> {
    const { id, nombre } = await this.findOrCreate(CONSOLE);
    return { id, name: nombre, isTest: false };
  }

  /** An operator by id. @throws AppError `no_encontrado` */
  async findOrFail(id: string): Promise<Operador> {
    const operator = isUuid(id) ? await this.operators.findOneBy({ id }) : null;
    if (!operator) throw new AppError('no_encontrado', { detail: 'No existe ese operador.' });
    return operator;
  }

  find(name: string): Promise<Operador | null> {
    return this.operators.findOneBy({ nombre: name });
  }
}
