import type * as Swagger from '@nestjs/swagger';

/**
 * The decorators of @nestjs/swagger, by their names, without the package: loading it takes a tenth of a start, and only
 * who asks for the document needs it. They note what they decorate; `loadSwagger` has the package's own do the rest.
 */

export type { ApiPropertyOptions } from '@nestjs/swagger';

const noted: ((swagger: typeof Swagger) => void)[] = [];

type DecoratorName = Extract<keyof typeof Swagger, `Api${string}`>;

function later<Name extends DecoratorName>(name: Name): (typeof Swagger)[Name] {
  const factory = (...options: unknown[]) => {
    return (...target: unknown[]) => {
      noted.push((swagger) => {
        const original = swagger[name] as (...options: unknown[]) => (...target: unknown[]) => void;
        original(...options)(...target);
      });
    };
  };
  return factory;
}

export const ApiBearerAuth = later('ApiBearerAuth');
export const ApiBody = later('ApiBody');
export const ApiExcludeController = later('ApiExcludeController');
export const ApiExtraModels = later('ApiExtraModels');
export const ApiHeader = later('ApiHeader');
export const ApiOperation = later('ApiOperation');
export const ApiParam = later('ApiParam');
export const ApiProperty = later('ApiProperty');
export const ApiPropertyOptional = later('ApiPropertyOptional');
export const ApiQuery = later('ApiQuery');
export const ApiResponse = later('ApiResponse');
export const ApiTags = later('ApiTags');

/** Where the document has a class's schema, for what is described without its decorators. */
export function schemaOf(dto: { name: string }): { $ref: string } {
  return { $ref: `#/components/schemas/${dto.name}` };
}

let loaded: Promise<typeof Swagger> | undefined;

/** The package, which then knows all that was decorated, in that order. A failure stays one: half a document is none. */
export function loadSwagger(): Promise<typeof Swagger> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<typeof Swagger> {
  const swagger = await import('@nestjs/swagger');
  for (const apply of noted.splice(0)) apply(swagger);
  return swagger;
}
