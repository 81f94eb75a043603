import { Transform, Type } from 'class-transformer';
import { CrearGuiaDto, RecogidaDto } from '../dto/crear-guia.dto.js';
import { toNumber, type Separator } from './csv-cells.js';

/** Reads a cell as a number; one that is none stays a text, which the rules of its field refuse. */
const NumberCell = () =>
  Transform(({ value, options }: { value: string; options: { groups?: string[] } }) => {
    const [separator] = options.groups as [Separator];
    return toNumber(value, separator) ?? value;
  });

class FilaDeRecogidaDto extends RecogidaDto {
  @NumberCell()
  override lat?: number;

  @NumberCell()
  override lng?: number;
}

/**
 * A row of a file, whose cells are all texts, as a create request. `class-transformer` reads it; the group is the
 * separator of the file's cells.
 */
export class FilaDto extends CrearGuiaDto {
  @NumberCell()
  override cod_amount?: number;

  @NumberCell()
  override lat?: number;

  @NumberCell()
  override lng?: number;

  @Type(() => FilaDeRecogidaDto)
  override recogida: FilaDeRecogidaDto;
}
