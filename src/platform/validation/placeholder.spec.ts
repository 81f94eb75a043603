import { isNoName, isPlaceholder } from './placeholder.js';

describe('isPlaceholder', () => {
  it.each([
    ...['N/A', 'n/a', 'NA', 'N.A.', 'n/d', 's/n', 'S.N.', 'null', 'NULL', 'undefined', 'NaN', 'None', 'nil'],
    ...[
      ...['-', '--', '—', '.', '...', '?', '*', '_', '0', '00', '000', '0.00', 'x', 'XXX', 'ninguno'],
      'Ninguna',
    ],
    ...['No aplica', 'sin número', 'SIN REFERENCIA', '(vacío)', '[object Object]', 'pendiente', '📦'],
  ])('%j stands for no value', (text) => {
    expect(isPlaceholder(text)).toBe(true);
  });

  it.each([
    ...[
      ...['1', '0001042', '10', 'A', 'pedido-1', 'N-1', 'Ana', 'Noé', 'Nadia', 'X1', 'xa', 'S/N 4'],
      'Null Pérez',
    ],
    ...['Бо', '王', '００１', 'sin', '', '-'.repeat(31), 'Ⓐⓑ', '🅐🅑'],
  ])('%j does not', (text) => {
    expect(isPlaceholder(text)).toBe(false);
  });
});

describe('isNoName', () => {
  it.each([
    ...['N/A', 'n/a', 'N.A.', 'n/d', 's/n', '-', '...', 'null', 'undefined', '[object Object]'],
    ...['Ⓝ/Ⓐ', 'ｎ／ａ', '™', '📦', '🇬🇹'],
  ])('%j names nobody', (text) => {
    expect(isNoName(text)).toBe(true);
  });

  it.each([
    'Nada',
    'No',
    'Na',
    'Nan',
    'Nil',
    'X',
    'J.',
    '王',
    'Ana',
    '4ever',
    '\0',
    '\u0007\u001b',
    '\ud800',
    '- \udc00',
    ...['Ⓐⓝⓐ', '⒜⒩⒜', '🅐🅝🅐', '🄰🄽🄰', '🅰🅽🅰', '𝓐𝓷𝓪', 'Ａｎａ', ''],
  ])('%j may be a name', (text) => {
    expect(isNoName(text)).toBe(false);
  });
});
