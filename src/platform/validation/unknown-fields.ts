import { MAX_FAULTS, type FieldError } from '../errors/app-error.js';
import { nearestName } from './nearest-name.js';
import { NamesHere } from './other-names.js';

export class AcceptedNames {
  private readonly here: NamesHere;
  private readonly refusedHere: NamesHere;

  /**
   * @param heading before the list of all names.
   * @param objects those of `names` that are objects themselves.
   * @param refused other names that callers send, and what to do instead, in Spanish.
   */
  constructor(
    private readonly heading: 'Los campos son' | 'Las columnas son',
    private readonly names: readonly string[],
    private readonly objects: readonly string[],
    private readonly refused: ReadonlyMap<string, string>,
  ) {
    this.here = new NamesHere(names);
    this.refusedHere = new NamesHere([...refused.keys()]);
  }

  /** Advice to a caller who sends a name; undefined if nothing is known of it. */
  hintFor(name: string): string | undefined {
    const { names, objects, refused } = this;
    const meant = refused.has(name) ? [] : this.here.of(name);
    if (meant.length > 0) return `¿Quiso decir ${either(meant)}?`;
    const [other] = this.refusedHere.of(name);
    if (other !== undefined) return refused.get(other);
    const outer = objects.find((one) => name.startsWith(one) && /^[^a-z]/.test(name.slice(one.length)));
    if (outer !== undefined) return `Va dentro de \`${outer}\`, que es un objeto.`;
    const nearest = nearestName(name, names);
    if (nearest !== undefined) return `¿Quiso decir \`${nearest}\`?`;
    return refused.get(nearestName(name, refused.keys()) ?? '');
  }

  /** All names, for a caller of whose name nothing is known. */
  list(): string {
    if (this.names.length === 0) return 'Quítelo: no lleva ninguno.';
    return `${this.heading}: ${quoted(this.names).join(', ')}.`;
  }
}

/** Collects the faults of names that a request does not have. */
export class UnknownFields {
  private readonly listed = new Set<string>();

  /** @param faults to which each fault is added. */
  constructor(private readonly faults: FieldError[]) {}

  /**
   * Adds the fault of a name, with the name that is meant or else, once for each object, all names. Faults that no answer
   * shows have no hint, because comparing names takes time.
   * @param path of the object, like `recogida.`.
   */
  add(name: string, path: string, accepted: AcceptedNames): void {
    const hint = this.faults.length < MAX_FAULTS ? this.hintFor(name, path, accepted) : '';
    this.faults.push({
      campo: `${path}${name.slice(0, 100)}`,
      codigo: 'campo_desconocido',
      mensaje: `Esta solicitud no tiene este campo. ${hint}`.trimEnd(),
    });
  }

  private hintFor(name: string, path: string, accepted: AcceptedNames): string {
    const hint = accepted.hintFor(name);
    if (hint !== undefined) return hint;
    if (this.listed.has(path)) return 'Quítelo, o corrija su nombre.';
    this.listed.add(path);
    return accepted.list();
  }
}

/** `lat`, `lng` o `maps_url` */
function either(names: readonly string[]): string {
  const last = names.at(-1)!;
  const others = quoted(names.slice(0, -1)).join(', ');
  return others === '' ? `\`${last}\`` : `${others} o \`${last}\``;
}

const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``);
