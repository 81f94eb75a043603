import { ERRORS, type ErrorCode } from '../../src/errors/error-codes.js';
import type { FieldErrorCode } from '../../src/errors/error-codes.js';
import type { Answer } from './test-app.js';

/** An error answer is exactly RFC 9457 with our members, and names the request as its header does. */
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
  });
  for (const error of errores ?? []) {
    expect(error).toEqual({
      campo: expect.any(String),
      codigo: expect.any(String),
      mensaje: expect.stringMatching(/.{5,}/),
    });
  }
}

/** 400 `validacion` whose faults are these and no others, as `campo: codigo` in any order. */
export function expectFaults(answer: Answer, faults: `${string}: ${FieldErrorCode}`[]): void {
  expectProblem(answer, 'validacion');
  const errores = answer.body.errores as { campo: string; codigo: string }[];
  expect(errores.map(({ campo, codigo }) => `${campo}: ${codigo}`).sort()).toEqual([...faults].sort());
}
