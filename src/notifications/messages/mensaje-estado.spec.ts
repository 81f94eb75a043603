import {
  estadosBefore,
  MENSAJE_ESTADOS,
  type EstadoInformado,
  type MensajeEstado,
} from './mensaje-estado.js';

const REPORTED: EstadoInformado[] = ['aceptado', 'entregado', 'leido', 'fallido'];

/** The state of a message after reports, as the database applies them. */
const after = (reports: EstadoInformado[], from: MensajeEstado = 'enviando'): MensajeEstado =>
  reports.reduce<MensajeEstado>((estado, one) => (estadosBefore(one).includes(estado) ? one : estado), from);

function permutations<T>(values: T[]): T[][] {
  if (values.length < 2) return [values];
  return values.flatMap((value, at) =>
    permutations(values.filter((_, i) => i !== at)).map((rest) => [value, ...rest]),
  );
}

describe('the state of a message', () => {
  it.each(permutations(REPORTED).map((order) => [order.join(', '), order] as const))(
    'ends as read, whatever the order of the reports: %s',
    (_, order) => expect(after(order)).toBe('leido'),
  );

  it.each(permutations(['aceptado', 'entregado', 'fallido'] as EstadoInformado[]))(
    'ends as delivered if another device failed: %s, %s, %s',
    (...order) => expect(after(order)).toBe('entregado'),
  );

  it.each(MENSAJE_ESTADOS)('is not changed by a repeated report: %s', (from) => {
    for (const one of REPORTED) expect(after([one, one], from)).toBe(after([one], from));
  });

  it.each([
    ['fallido', 'aceptado'],
    ['entregado', 'fallido'],
    ['leido', 'fallido'],
    ['leido', 'entregado'],
    ['entregado', 'aceptado'],
  ] as const)('once %s is not lowered to %s', (from, to) => expect(after([to], from)).toBe(from));

  it.each(['pendiente', 'enviando', 'incierto', 'omitido'] as const)(
    'is raised by any report from %s',
    (from) => expect(REPORTED.map((one) => after([one], from))).toEqual(REPORTED),
  );
});
