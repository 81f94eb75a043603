/**
 * Columns of an entity as `exactTypes` reads them, and `textTypes` where none is a numeric: a time is ISO 8601, an amount the
 * text that PostgreSQL writes.
 */
export type TextRow<Entity, Column extends keyof Entity> = {
  [Name in Column]: Date extends Entity[Name] ? Exclude<Entity[Name], Date> | string : Entity[Name];
};
