export interface GuiaKey {
  comercioId: string;
  guiaId: string;
}
