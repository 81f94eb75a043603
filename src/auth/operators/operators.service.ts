import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { v7 } from 'uuid';
import { Operador } from './operador.entity.js';

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

  find(name: string): Promise<Operador | null> {
    return this.operators.findOneBy({ nombre: name });
  }
}
