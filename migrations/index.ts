import { Guias1795219200000 } from './1795219200000-guias.js';
import { Mensajes1795262400000 } from './1795262400000-mensajes.js';
import { Enlaces1795266000000 } from './1795266000000-enlaces.js';
import { Filtros1795302000000 } from './1795302000000-filtros.js';
import { CicloDeVida1795305600000 } from './1795305600000-ciclo-de-vida.js';
import { Webhooks1795309200000 } from './1795309200000-webhooks.js';
import { Tipos1795312800000 } from './1795312800000-tipos.js';
import { OrdenDeEventos1795316400000 } from './1795316400000-orden-de-eventos.js';
import { Deadline1795320000000 } from './1795320000000-deadline.js';

/** All migrations, oldest first. A landed migration is never edited: add another. */
export const migrations = [
  Guias1795219200000,
  Mensajes1795262400000,
  Enlaces1795266000000,
  Filtros1795302000000,
  CicloDeVida1795305600000,
  Webhooks1795309200000,
  Tipos1795312800000,
  OrdenDeEventos1795316400000,
  Deadline1795320000000,
];
