import { AppError } from '../platform/errors/app-error.js';
import { check, ChoiceField, oneOf } from '../platform/validation/fields.js';
import { ListField } from '../platform/validation/list.fields.js';
import { ModoField } from '../platform/validation/modo.dto.js';
import { QueryField } from '../platform/validation/query.fields.js';
import { FORMATOS, type Formato } from './label-document.js';
import { TAMANOS, type Tamano } from './sheets.js';

/** Labels in a document of the API. */
export const MAX_LABELS = 100;

/** Labels in a document that the panel makes of all guides of a filter. */
export const MAX_OF_FILTER = 500;

/** Of a selection on a page. @throws AppError `validacion` where nothing is chosen, or too much */
export function checkChosen({ length }: string[], max = MAX_LABELS): void {
  if (length === 0 || length > max)
    throw new AppError('validacion', {
      detail: `${length === 0 ? 'Elija' : `Son ${length} guías: elija`} de 1 a ${max} para imprimir.`,
    });
}

const FORMATO =
  '`pdf` para ver e imprimir, `zpl` para impresoras de etiquetas de 203 dpi, `png` para la imagen de una sola guía.';
const TAMANO =
  '`100x150` y `100x100` en milímetros, o `a4` y `carta` con cuatro etiquetas por hoja, que `zpl` no tiene.';

const FORMATO_NAMES: Record<Formato, string> = {
  pdf: 'PDF, para ver e imprimir',
  zpl: 'ZPL, para impresoras de etiquetas',
  png: 'PNG, una imagen',
};
export const TAMANO_NAMES: Record<Tamano, string> = {
  '100x150': '100 × 150 mm',
  '100x100': '100 × 100 mm',
  a4: 'A4, cuatro por hoja',
  carta: 'Carta, cuatro por hoja',
};

/** Examples, so that Swagger UI offers a list. An enum would narrow the type of generated clients. */
const choices = (names: Record<string, string>) =>
  Object.fromEntries(Object.entries(names).map(([value, summary]) => [value, { summary, value }]));

const notZplOnSheets = check(
  'formato',
  (tamano, { formato }) => (tamano !== 'a4' && tamano !== 'carta') || formato !== 'zpl',
  'ZPL es para impresoras de etiquetas. Use `100x150` o `100x100`, o `formato` `pdf` para imprimir en hojas.',
);

const onePng = check(
  'formato',
  (formato, { guias }) => formato !== 'png' || !Array.isArray(guias) || guias.length <= 1,
  'Un PNG lleva una sola guía. Use `pdf` o `zpl`, o pida cada guía por separado.',
);

export class PedirEtiquetaDto {
  @QueryField(
    { description: FORMATO },
    { type: String, default: 'pdf', examples: choices(FORMATO_NAMES) },
    oneOf(FORMATOS),
  )
  formato?: Formato;

  @QueryField(
    { description: TAMANO },
    { type: String, default: '100x150', examples: choices(TAMANO_NAMES) },
    oneOf(TAMANOS),
    notZplOnSheets,
  )
  tamano?: Tamano;
}

export class PedirEtiquetaDeOperacionesDto extends PedirEtiquetaDto {
  @ModoField()
  modo?: 'prueba';
}

export class PedirEtiquetasDto {
  @ListField(
    {
      required: true,
      items: { type: 'string' },
      max: MAX_LABELS,
      description: `De 1 a ${MAX_LABELS} guías, cada una por su \`id\` o por su número. Una repetida sale una sola vez, en su primer lugar.`,
      example: ['483920175567'],
    },
    check(
      'fuera_de_rango',
      (list: unknown[]) => list.length >= 1 && list.length <= MAX_LABELS,
      `Debe tener entre 1 y ${MAX_LABELS} guías.`,
    ),
    check(
      'tipo',
      (list: unknown[]) => list.every((one) => typeof one === 'string'),
      'Cada guía debe ser un texto, entre comillas: su `id` o su número.',
    ),
  )
  guias: string[];

  @ChoiceField({ description: FORMATO, values: FORMATOS }, onePng)
  formato?: Formato;

  @ChoiceField({ description: TAMANO, values: TAMANOS }, notZplOnSheets)
  tamano?: Tamano;
}
