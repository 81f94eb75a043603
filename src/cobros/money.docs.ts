import type { Scope } from '../auth/keys/scopes.js';
import { ModoDto } from '../platform/validation/modo.dto.js';
import { NoFields } from '../platform/validation/no-fields.dto.js';
import { ListarAjustesDeOperacionesDto, ListarAjustesDto } from './dto/ajuste.dto.js';
import {
  ListaDeCobrosDeOperacionesDto,
  ListaDeCobrosDto,
  ListarCobrosDeOperacionesDto,
  ListarCobrosDto,
  PaginarCobrosDeOperacionesDto,
  PaginarCobrosDto,
} from './dto/cobro.dto.js';
import { ListarLiquidacionesDeOperacionesDto, ListarLiquidacionesDto } from './dto/liquidacion.dto.js';

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
}

/** Texts and queries of the lists of money, for one kind of owner. */
export interface MoneyDocs {
  tag: string;
  scope: Scope;
  queries: {
    cobros: new () => ListarCobrosDeOperacionesDto;
    ajustes: new () => ListarAjustesDeOperacionesDto;
    liquidaciones: new () => ListarLiquidacionesDeOperacionesDto;
    /** Of the amounts, and of the adjustments, of a settlement. */
    within: new () => PaginarCobrosDto;
    none: new () => object;
  };
  cobros: typeof ListaDeCobrosDto | typeof ListaDeCobrosDeOperacionesDto;
  operations: Record<
    'ajustes' | 'cobros' | 'liquidaciones' | 'liquidacion' | 'cobrosWithin' | 'ajustesWithin',
    Operation
  >;
}

export const OF_MERCHANTS: MoneyDocs = {
  tag: 'Cobros',
  scope: 'guias:leer',
  queries: {
    cobros: ListarCobrosDto,
    ajustes: ListarAjustesDto,
    liquidaciones: ListarLiquidacionesDto,
    within: PaginarCobrosDto,
    none: NoFields,
  },
  cobros: ListaDeCobrosDto,
  operations: {
    ajustes: {
      operationId: 'listarAjustes',
      summary: 'Listar los ajustes',
      description:
        'Lo que se le suma o se le quita al comercio aparte de lo cobrado, y por qué; la siguiente liquidación toma los pendientes. Del más reciente al más antiguo. Con `Accept: text/csv` llegan todos como archivo CSV.',
    },
    cobros: {
      operationId: 'listarCobros',
      summary: 'Listar los cobros',
      description:
        'Uno por cada guía con `cod_amount`: qué se cobró, y en qué liquidación está. De la guía más reciente a la más antigua; con `desde` o `hasta`, del último cobro al primero.\n\nCon `Accept: text/csv` llega la selección entera como archivo CSV; `limit` y `cursor` no la dividen, y con `zona` sus horas son las de esa zona.',
    },
    liquidaciones: {
      operationId: 'listarLiquidaciones',
      summary: 'Listar las liquidaciones',
      description:
        'Lo que se cobró y se pagó, o falta pagar, al comercio; de la más reciente a la más antigua.',
    },
    liquidacion: { operationId: 'verLiquidacion', summary: 'Ver una liquidación' },
    cobrosWithin: {
      operationId: 'listarCobrosDeLiquidacion',
      summary: 'Listar los cobros de una liquidación',
    },
    ajustesWithin: {
      operationId: 'listarAjustesDeLiquidacion',
      summary: 'Listar los ajustes de una liquidación',
    },
  },
};

export const OF_OPERATORS: MoneyDocs = {
  tag: 'Operaciones',
  scope: 'operaciones:leer',
  queries: {
    cobros: ListarCobrosDeOperacionesDto,
    ajustes: ListarAjustesDeOperacionesDto,
    liquidaciones: ListarLiquidacionesDeOperacionesDto,
    within: PaginarCobrosDeOperacionesDto,
    none: ModoDto,
  },
  cobros: ListaDeCobrosDeOperacionesDto,
  operations: {
    ajustes: {
      operationId: 'listarAjustesDeOperaciones',
      summary: 'Listar los ajustes de todos los comercios',
      description:
        'Del más reciente al más antiguo. Con `Accept: text/csv` llega la selección entera como archivo CSV, cada uno con su comercio.',
    },
    cobros: {
      operationId: 'listarCobrosDeOperaciones',
      summary: 'Listar los cobros de todos los comercios',
      description:
        'Como `GET /api/v1/cobros`, cada uno con su comercio. Con `Accept: text/csv` llega la selección entera como archivo CSV.',
    },
    liquidaciones: {
      operationId: 'listarLiquidacionesDeOperaciones',
      summary: 'Listar las liquidaciones de todos los comercios',
      description: 'De la más reciente a la más antigua.',
    },
    liquidacion: {
      operationId: 'verLiquidacionDeOperaciones',
      summary: 'Ver una liquidación de cualquier comercio',
    },
    cobrosWithin: {
      operationId: 'listarCobrosDeLiquidacionDeOperaciones',
      summary: 'Listar los cobros de una liquidación de cualquier comercio',
    },
    ajustesWithin: {
      operationId: 'listarAjustesDeLiquidacionDeOperaciones',
      summary: 'Listar los ajustes de una liquidación de cualquier comercio',
    },
  },
};
