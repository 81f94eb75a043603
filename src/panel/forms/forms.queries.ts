import type { QueryConfig } from 'pg';

/** Returns a row only for the first time that the form is sent. */
export function beginForm(comercioId: string, clave: string): QueryConfig {
  const text = `insert into panel_formularios (comercio_id, clave) values ($1, $2)
    on conflict do nothing returning clave`;
  return { text, values: [comercioId, clave] };
}

export function endForm(comercioId: string, clave: string, destino: string): QueryConfig {
  const text = 'update panel_formularios set destino = $3 where comercio_id = $1 and clave = $2';
  return { text, values: [comercioId, clave, destino] };
}

/** A refused form may be sent again. */
export function forgetForm(comercioId: string, clave: string): QueryConfig {
  return {
    text: 'delete from panel_formularios where comercio_id = $1 and clave = $2',
    values: [comercioId, clave],
  };
}

export function findForm(comercioId: string, clave: string): QueryConfig {
  return {
    text: 'select destino from panel_formularios where comercio_id = $1 and clave = $2',
    values: [comercioId, clave],
  };
}
