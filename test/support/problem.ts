import { ERRORS, type ErrorCode, type FieldErrorCode } from '../../src/platform/errors/error-codes.js';
import type { Answer } from './test-app.js';

/** Expects exactly an RFC 9457 problem with our members, whose `instance` is the answer's request id. */
export function expectProblem(answer: Answer, codigo: ErrorCode): void {
  const { status, title } = ERRORS[codigo];
  const { errores, ...rest } = answer.body ?? {};
  expect({ status: answer.status, codigo: rest.codigo }).toEqual({ status, codigo });
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json(;|$)/);
  expect(rest).toEqual({
    ok: false,
    type: 'about:blank',
    title,
    status,
    codigo,
    detail: expect.stringMatching(/\.$/),
    instance: answer.headers.get('x-request-id'),
    ...(codigo === 'mensaje_no_permitido' && { motivo: expect.stringMatching(/^[a-z_]+$/) }),
    ...(codigo === 'lugar_cambiado' && { version: expect.stringMatching(/^.{12}$/) }),
    ...('distancia_m' in rest && codigo === 'lugar_cambiado' && { distancia_m: expect.any(Number) }),
    ...(codigo === 'liquidacion_demasiado_grande' && { hasta: expect.stringMatching(/^\d{4}-.*Z$/) }),
  });
  for (const error of errores ?? []) {
    expect(error).toEqual({
      campo: expect.any(String),
      codigo: expect.any(String),
      mensaje: expect.stringMatching(/.{5,}/),
    });
  }
}

/** Expects 400 `validacion` with exactly these faults, as `campo: codigo`, in any order. */
export function expectFaults(answer: Answer, faults: `${string}: ${FieldErrorCode}`[]): void {
  expectProblem(answer, 'validacion');
  const errores = answer.body.errores as { campo: string; codigo: string }[];
  expect(errores.map(({ campo, codigo }) => `${campo}: ${codigo}`).sort()).toEqual([...faults].sort());
}
