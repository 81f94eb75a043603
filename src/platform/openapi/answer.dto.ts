import { ApiProperty } from '@nestjs/swagger';

export class OkDto {
  @ApiProperty({ description: 'Siempre `true`.', enum: [true], type: Boolean, example: true })
  ok: true;
}

export class PaginaDto extends OkDto {
  @ApiProperty({
    description: 'Envíelo como `cursor` para recibir la página siguiente; null en la última.',
    type: 'string',
    nullable: true,
    example: null,
  })
  siguiente_cursor: string | null;
}
