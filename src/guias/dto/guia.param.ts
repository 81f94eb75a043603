/** `@ApiParam` of the routes that take a guide's id or number. */
export const GUIA_PARAM = {
  name: 'id',
  description: '`id` de la guía o número de `guia`.',
  schema: { type: 'string' as const },
};
