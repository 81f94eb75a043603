/** A person who writes to us; at least one of the two is known. */
export interface Recipient {
  /** E.164. */
  telefono: string | null;
  /** The person's id in the app. */
  usuario: string | null;
}
