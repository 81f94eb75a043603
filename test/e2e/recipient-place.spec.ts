import { Lives } from '../support/lives.js';
import { expectProblem } from '../support/problem.js';
import { guiaBody } from '../support/test-app.js';
import { opened, useSharedApp } from '../support/use.js';

const GUIAS = '/api/v1/guias';
const HERE = { lat: 14.6407, lng: -90.5133 };
/** About 2 km to the north. */
const THERE = { lat: 14.6587, lng: -90.5133 };

type Form = Record<string, string>;

/** The fields of a form as its page has them. */
function fieldsOf(page: string, form: RegExp): Form {
  const [inside] = form.exec(page)!;
  const value = (tag: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  const tags = inside.match(/<input[^>]*>/g)!.map((tag) => [value(tag, 'name')!, value(tag, 'value') ?? '']);
  return Object.fromEntries(tags);
}

const MAIN = /<form[^>]*id="form".*?<\/form>/s;
/** The form of the first answer to a question. */
const YES = /role="alert".*?<\/form>/s;

describe('the place that a recipient gives', () => {
  const test = useSharedApp();
  const merchant = opened(() => test.merchant());
  const operator = opened(() => test.operator());
  const lives = new Lives(test, merchant);

  const detail = async (id: string) => (await merchant.get(`${GUIAS}/${id}`)).body.guia;
  const linkOf = async ({ id }: { id: string }) => {
    const path = new URL((await detail(id)).seguimiento as string).pathname;
    return {
      get: async () => (await test.request(path)).text,
      json: (body: object) =>
        test.request(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      form: (form: Form) => test.request(path, { method: 'POST', body: new URLSearchParams(form) }),
      version: async () => fieldsOf(await (await linkOf({ id })).get(), MAIN).version,
    };
  };
  const asked = async (over: object = {}) => {
    const { body } = await merchant.post(GUIAS, guiaBody({ ...over }));
    const guia = { id: body.id as string };
    return { ...guia, ...(await linkOf(guia)), detail: () => detail(guia.id) };
  };

  describe('from a page that was opened before another one was saved', () => {
    it('is refused to a program, which gets the version to change it with', async () => {
      const guia = await asked();
      expect(await guia.version()).toBe('');
      expect((await guia.json({ ...HERE, version: '' })).status).toBe(200);
      const refused = await guia.json({ ...THERE, version: '' });
      expectProblem(refused, 'lugar_cambiado');
      const problem = refused.body;
      expect(problem).toMatchObject({ distancia_m: 2_002, version: await guia.version() });
      expect(problem.detail).toContain('Ya hay un lugar marcado, a 2 km.');
      expect(await guia.detail()).toMatchObject({ destino: HERE });
      expect((await guia.json({ ...THERE, version: problem.version })).status).toBe(200);
      expect(await guia.detail()).toMatchObject({ destino: THERE });
    });

    it('is asked about on the page, and changed by its answer', async () => {
      const guia = await asked();
      const [mine, theirs] = [fieldsOf(await guia.get(), MAIN), fieldsOf(await guia.get(), MAIN)];
      await guia.form({ ...theirs, lat: '14.6407', lng: '-90.5133' });
      const question = await guia.form({ ...mine, lat: '14.6587', lng: '-90.5133', referencia: 'azul' });
      expect(question.status).toBe(409);
      expect(question.text).toContain('Ya hay un lugar marcado, a 2 km: ¿lo cambias?');
      expect(await guia.detail()).toMatchObject({ destino: HERE, referencia: null });
      expect((await guia.form(fieldsOf(question.text, YES))).status).toBe(200);
      expect(await guia.detail()).toMatchObject({ destino: THERE, referencia: 'azul' });
    });

    it.each<[string, object]>([
      ['is taken without a version', THERE],
      ['is taken if it is the saved one', { ...HERE, version: '' }],
      ['of which there is a note alone is no question', { nota: 'Toque fuerte', version: 'x' }],
    ])('%s', async (_, body) => {
      const guia = await asked();
      await guia.json(HERE);
      expect((await guia.json(body)).status).toBe(200);
    });

    it('asks also where only the landmark of the other one is sent', async () => {
      const guia = await asked(HERE);
      const form = fieldsOf(await guia.get(), MAIN);
      await guia.json(THERE);
      expectProblem(await guia.json({ referencia: 'azul', version: form.version }), 'lugar_cambiado');
      const page = await guia.form({ ...form, referencia: 'azul' });
      expect(page.status).toBe(409);
      expect(page.text).toContain('Mientras tanto alguien marcó otro lugar.');
      expect(await guia.detail()).toMatchObject({ destino: THERE, referencia: null });
      const again = { ...fieldsOf(page.text, MAIN), referencia: 'azul' };
      expect((await guia.form(again)).status).toBe(200);
      expect(await guia.detail()).toMatchObject({ destino: THERE, referencia: 'azul' });
    });

    it('is taken where the other one was cleared meanwhile', async () => {
      const guia = await asked(HERE);
      const version = await guia.version();
      await merchant.patch(`${GUIAS}/${guia.id}`, { maps_url: null });
      expect((await guia.json({ ...THERE, version })).status).toBe(200);
    });
  });

  describe('with an accuracy worse than 100 m', () => {
    const ROUGH = { ...HERE, precision_m: 850 };

    it.each<[string, object]>([
      ['alone', ROUGH],
      ['not accepted', { ...ROUGH, precision_aceptada: false }],
      ['of a link', { maps_url: '14.6407, -90.5133', precision_m: 101 }],
    ])('is refused to a program: %s', async (_, body) => {
      const guia = await asked();
      expectProblem(await guia.json(body), 'precision_baja');
      expect(await guia.detail()).toMatchObject({ direccion_confirmada: false });
    });

    it('is kept with the answer and warns, once it is accepted', async () => {
      const guia = await asked();
      expect((await guia.json({ ...ROUGH, precision_aceptada: true })).status).toBe(200);
      expect((await guia.detail()).advertencias).toEqual(['destino_impreciso']);
      const events = await test.database.query(
        `select datos from eventos where guia_id = $1 and tipo = 'guia.confirmada'`,
        [guia.id],
      );
      expect(events).toMatchObject([{ datos: { precision_m: 850 } }]);
    });

    it('is asked about on the page, and taken by its answer or a second press', async () => {
      const sent = { lat: '14.6407', lng: '-90.5133', precision_m: '850' };
      for (const form of [YES, MAIN]) {
        const guia = await asked();
        const question = await guia.form({ ...fieldsOf(await guia.get(), MAIN), ...sent });
        expect(question.status).toBe(422);
        expect(question.text).toContain('con unos 850 m de error');
        expect((await guia.form(fieldsOf(question.text, form))).status).toBe(200);
        expect(await guia.detail()).toMatchObject({ destino: HERE, advertencias: ['destino_impreciso'] });
      }
    });

    it.each<[string, object]>([
      ['100 m', { ...HERE, precision_m: 100 }],
      ['none', HERE],
      ['more, of former programs', { ...HERE, precision: 850 }],
    ])('is not: %s', async (_, body) => {
      const guia = await asked();
      expect((await guia.json(body)).status).toBe(200);
      expect((await guia.detail()).advertencias).toEqual([]);
    });

    describe('warns until', () => {
      const rough = async (): Promise<Awaited<ReturnType<typeof asked>>> => {
        const guia = await asked();
        await guia.json({ ...ROUGH, precision_aceptada: true });
        return guia;
      };

      it.each<[string, object, boolean]>([
        ['the recipient gives another place', THERE, true],
        ['they give the same one better', { ...HERE, precision_m: 20 }, true],
        ['not: they give a landmark', { referencia: 'azul' }, false],
        ['not: they give the same one', { ...HERE, referencia: 'azul' }, false],
      ])('%s', async (_, body, isClear) => {
        const guia = await rough();
        expect((await guia.json(body)).status).toBe(200);
        expect((await guia.detail()).advertencias).toEqual(isClear ? [] : ['destino_impreciso']);
      });

      it.each<[string, object]>([
        ['another place', THERE],
        ['the same one', HERE],
        ['none', { lat: null, lng: null }],
      ])('the merchant gives %s', async (_, body) => {
        const guia = await rough();
        await merchant.patch(`${GUIAS}/${guia.id}`, body);
        expect((await guia.detail()).advertencias).toEqual([]);
      });

      it('the recipient says after a failed attempt that it is their door', async () => {
        const { id } = await lives.in('recogido');
        const guia = await linkOf({ id });
        await guia.json({ ...THERE, precision_m: 850, precision_aceptada: true });
        await operator.move(id, { estado: 'en_ruta' });
        await operator.move(id, { estado: 'intento_fallido', motivo: 'ausente' });
        expect((await detail(id)).advertencias).toEqual(['destino_impreciso']);
        await guia.form(fieldsOf(await guia.get(), MAIN));
        expect((await detail(id)).advertencias).toEqual([]);
      });
    });
  });

  it.each<[string, string]>([
    ['Mi casa\nhttps://maps.google.com/?q=14.6407,-90.5133\nportón azul', 'several lines'],
    ['Mi casa\r\n14.6407, -90.5133', 'those of a form'],
  ])('may stand in a pasted text of several lines, as in a create: %j', async (maps_url) => {
    const [one, other] = [await asked(), await asked()];
    expect((await one.json({ maps_url })).status).toBe(200);
    expect((await other.form({ maps_url })).status).toBe(200);
    for (const guia of [one, other]) expect((await guia.detail()).destino).toMatchObject(HERE);
  });

  it('is asked for on a map of the municipality, also where the pickup is far from it', async () => {
    const guia = await asked({ departamento: 'Petén', municipio: 'Flores' });
    const [, lat, lng] = /data-near-lat="([^"]*)" data-near-lng="([^"]*)"/.exec(await guia.get())!;
    expect([Math.round(Number(lat)), Math.round(Number(lng))]).toEqual([17, -90]);
  });

  it('is shown after a failed attempt beside the question whether it is the door, without scripts, too', async () => {
    const { id } = await lives.in('intento_fallido');
    await merchant.patch(`${GUIAS}/${id}`, HERE);
    const page = await (await linkOf({ id })).get();
    expect(page).toContain('¿El pin está en tu puerta?');
    expect(page).toContain('<a href="geo:14.6407,-90.5133">14.640700, -90.513300</a>');
  });

  describe('is no matter of a note, which is taken alone before a failed attempt', () => {
    it('by a program and by the form, of a guide without a place', async () => {
      const guia = await asked();
      expect((await guia.json({ nota: 'Toque fuerte' })).status).toBe(200);
      const page = await guia.form({ ...fieldsOf(await guia.get(), MAIN), nota: 'Hay un perro' });
      expect(page.status).toBe(200);
      expect(page.text).toContain('<bdi>Hay un perro</bdi>');
      expect(page.text).toContain('¿Dónde entregamos tu paquete?');
      expect(await guia.detail()).toMatchObject({ direccion_confirmada: false });
    });

    it('and leaves the place and the landmark that the merchant gave', async () => {
      const guia = await asked({ ...HERE, referencia: 'azul' });
      const page = await guia.form({ nota: 'Hay un perro' });
      expect(page.text).toContain('El mensajero leerá lo que nos dijiste.');
      const events = await test.database.query(
        `select datos from eventos where guia_id = $1 and actor = 'destinatario'`,
        [guia.id],
      );
      expect(events).toMatchObject([{ datos: { nota: 'Hay un perro', campos: ['nota'] } }]);
      expect(await guia.detail()).toMatchObject({ destino: HERE, referencia: 'azul' });
    });
  });
});
