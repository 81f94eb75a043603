import { OptionalBody } from './dto-fields.js';

/** A query without parameters, or a body without fields: any that is sent is refused. */
@OptionalBody()
export class NoFields {}
