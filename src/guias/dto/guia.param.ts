/** `@ApiParam` of the routes that accept either name of a guide. */
export const GUIA_PARAM = {
  name: 'id',
  description: '`id` de la guía o número de `guia`.',
  schema: { type: 'string' as const },
};
