import { outboundMessage, refusal } from '../../../../test/support/outbound-message.js';
import { SandboxProvider } from './sandbox.provider.js';

const provider = new SandboxProvider();
const to = (telefono: string | null, intentos = 0) =>
  outboundMessage({ telefono, intentos, ...(telefono === null && { usuario: 'GT.1' }) });

describe('the sandbox', () => {
  it.each(['+50255551234', '+50255550000', '+50200020004', null])(
    'accepts a message to %s',
    async (telefono) => {
      const message = to(telefono);
      expect(await provider.send(message)).toEqual({ proveedorId: `sandbox-${message.id}`, usuario: null });
    },
  );

  it('schedules an answer for a number that ends in 0001', async () => {
    expect(await provider.send(to('+50255550001'))).toMatchObject({ answerAfterMs: 2_000 });
  });

  it('recognises a repeat', async () => {
    expect(provider.isIdempotent).toBe(true);
    const message = to('+50255551234');
    expect(await provider.send(message)).toEqual(await provider.send({ ...message, intentos: 1 }));
  });

  it.each([0, 1, 10])('never reaches a number that ends in 0002 (earlier tries: %i)', async (intentos) => {
    expect(await refusal(provider.send(to('+50255550002', intentos)))).toMatchObject({ kind: 'permanent' });
  });

  it('reaches a number that ends in 0003 at the fourth try, in any process', async () => {
    for (const intentos of [0, 1, 2]) {
      const error = await refusal(new SandboxProvider().send(to('+50255550003', intentos)));
      expect(error).toMatchObject({ kind: 'transient', retryAfterMs: 1_000 });
    }
    expect(await new SandboxProvider().send(to('+50255550003', 3))).toHaveProperty('proveedorId');
  });
});
