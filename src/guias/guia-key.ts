/** The primary key of `guias`. */
export interface GuiaKey {
  comercioId: string;
  guiaId: string;
}
