/** The form's field that says, by its script, that its page was reached by the way back. */
export const REGRESO = 'regreso';
