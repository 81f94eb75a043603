/** See `clock.js`. */
export declare function dated<Action>(acciones: Action[], desfase: number, now: number): Action[];
export declare function happenedAt(
  accion: { evento: { ocurrido_en: string }; reloj?: { desfase: number; contacto: number; marca: number } },
  contact: { desfase: number; now: number; before?: number },
): number;
