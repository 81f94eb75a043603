import { Guias1795219200000 } from './1795219200000-guias.js';

/** All migrations, oldest first. One that has landed is never edited: write the next. */
export const migrations = [Guias1795219200000];
