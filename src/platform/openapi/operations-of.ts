import type { OpenAPIObject } from '@nestjs/swagger';

type Path = OpenAPIObject['paths'][string];
export type Operation = NonNullable<Path['get']>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export const operationsOf = ({ paths }: OpenAPIObject): Operation[] =>
  Object.values(paths).flatMap((path) => METHODS.flatMap((method) => path[method] ?? []));
