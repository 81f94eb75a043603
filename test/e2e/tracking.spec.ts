import { guiaBody } from '../support/test-app.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { opened, useTestApp } from '../support/use.js';

const PLACE = { lat: 14.6407, lng: -90.5133 };

interface Followed {
  id: string;
  /** Of the page. */
  path: string;
}

describe("a guide's tracking link", () => {
  // Of its own for PUBLIC_URL.
  const test = useTestApp({ env: { PUBLIC_URL: 'https://guias.example.com/' } });
  const merchant = opened(() => test.merchant());
  const operator = opened(() => test.operator());

  const detail = async (id: string) => (await merchant.get(`/api/v1/guias/${id}`)).body.guia;
  const follow = async (over: Record<string, unknown> = {}): Promise<Followed> => {
    const { body } = await merchant.post('/api/v1/guias', guiaBody(over));
    return { id: body.id, path: new URL((await detail(body.id)).seguimiento).pathname };
  };
  const page = async ({ path }: Followed) => {
    const { status, text } = await test.request(path);
    const steps = [...text.matchAll(/<li[^>]*><span>([^<]+)/g)].map(([, step]) => step);
    return { status, text, title: /<h1>([^<]+)/.exec(text)?.[1], steps, asks: text.includes('id="form"') };
  };
  const post = ({ path }: Followed, body: unknown) =>
    test.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const walk = async ({ id }: Followed, ...estados: string[]) => {
    for (const estado of estados)
      expect(
        (await operator.move(id, { estado, cod_cobrado: estado === 'entregado' ? 349.5 : undefined })).status,
      ).toBe(201);
  };
  const change = ({ id }: Followed, set: string) =>
    test.database.query(`update guias set ${set} where id = $1`, [id]);

  it('is in the detail, below PUBLIC_URL and the same each time, and in no list', async () => {
    const { id } = await follow({ external_ref: 'lista' });
    const { seguimiento } = await detail(id);
    expect(seguimiento).toMatch(/^https:\/\/guias\.example\.com\/c\/[\w-]{43}$/);
    expect((await detail(id)).seguimiento).toBe(seguimiento);
    const edited = await merchant.patch(`/api/v1/guias/${id}`, { notas: 'Llamar' });
    expect(edited.body.guia.seguimiento).toBe(seguimiento);
    const { body } = await merchant.get('/api/v1/guias');
    expect(Object.keys(body.guias[0])).not.toContain('seguimiento');
  });

  it('is not shown to operators', async () => {
    const { id } = await follow();
    const { status, body } = await operator.get(`/api/v1/operaciones/guias/${id}`);
    expect({ status, hasLink: 'seguimiento' in body.guia }).toEqual({ status: 200, hasLink: false });
  });

  it('shows the progress of the parcel, newest step first, and its contents', async () => {
    const guia = await follow({ ...PLACE, cod_amount: 349.5, contenido: 'Zapatos <b>38</b>' });
    expect(await page(guia)).toMatchObject({
      title: 'Tu paquete se está preparando',
      steps: ['La tienda preparó el envío'],
      asks: true,
    });
    await walk(guia, 'en_camino_a_recoger', 'recogido', 'en_ruta');
    const { text, ...shown } = await page(guia);
    expect(shown).toMatchObject({
      title: 'Tu paquete va en camino',
      steps: [
        'Va en camino a ti',
        'La mensajería lo recogió',
        'La mensajería va a recogerlo',
        'La tienda preparó el envío',
      ],
    });
    for (const part of ['Q\u00a0349.50', 'Zapatos &lt;b>38', '14.640700, -90.513300', 'data-follow'])
      expect(text).toContain(part);
  });

  it("writes times with their weekday, as the merchant's country writes them, in the zone of most of its people", async () => {
    const american = await test.merchant({ country: 'US' });
    const { body } = await american.post('/api/v1/guias', guiaBody(PLACE));
    const { seguimiento } = (await american.get(`/api/v1/guias/${body.id}`)).body.guia;
    const { text } = await test.request(new URL(seguimiento).pathname);
    const [, at, written] = /<time datetime="([^"]+)"[^>]*>([^<]+)/.exec(text)!;
    const part = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat('es-US', { timeZone: 'America/New_York', ...options }).format(new Date(at!));
    for (const expected of [
      part({ weekday: 'long' }),
      part({ day: 'numeric', month: 'long' }),
      part({ timeStyle: 'short' }),
    ])
      expect(written!.replace(/\s/g, ' ')).toContain(expected.replace(/\s/g, ' '));
  });

  it('shows no phone, no name of a person, no address and no code of ours', async () => {
    const guia = await follow({ ...PLACE, nombre: 'Ana López', direccion: '4a calle 5-10', notas: 'perro' });
    await walk(guia, 'en_camino_a_recoger', 'recogido', 'en_ruta');
    await operator.move(guia.id, { estado: 'intento_fallido', motivo: 'ausente', nota: 'no abrió' });
    const { text } = await page(guia);
    const { telefono, recogida } = await detail(guia.id);
    const secrets = [telefono.slice(-8), 'López', '4a calle', 'perro', 'ausente', 'no abrió', guia.id];
    for (const secret of [...secrets, recogida.nombre, 'Mensajería', 'intento_fallido'].filter(Boolean))
      expect({ secret, isShown: text.includes(secret) }).toEqual({ secret, isShown: false });
  });

  it.each([
    ['cancelado', 'El envío fue cancelado'],
    ['entregado', 'Tu paquete fue entregado'],
    ['devuelto', 'Tu paquete volvió a la tienda'],
    ['extraviado', 'Tu paquete se extravió'],
  ])('says that the guide is %s for 30 days, and then nothing', async (estado, title) => {
    const guia = await follow();
    await change(guia, `estado = '${estado}', estado_en = now() - interval '29 days'`);
    expect(await page(guia)).toMatchObject({ status: 200, title, asks: false });
    expect((await page(guia)).text).not.toContain('data-follow');
    await change(guia, `estado_en = now() - interval '30 days 1 second'`);
    expect(await page(guia)).toMatchObject({ status: 404 });
  });

  it('takes no other place while the courier is under way, and says so', async () => {
    const guia = await follow();
    await post(guia, PLACE);
    await walk(guia, 'en_camino_a_recoger', 'recogido');
    expect(await page(guia)).toMatchObject({ asks: true });
    await walk(guia, 'en_ruta');
    expect(await page(guia)).toMatchObject({ asks: false, title: 'Tu paquete va en camino' });
    expect((await page(guia)).text).toContain('El mensajero ya salió y el lugar no se puede cambiar aquí.');
    expectProblem(await post(guia, { lat: 15, lng: -91 }), 'guia_no_modificable');
    const form = { method: 'POST', body: new URLSearchParams({ lat: '15', lng: '-91' }) };
    const answer = await test.request(guia.path, form);
    expect({ status: answer.status, asks: answer.text.includes('id="form"') }).toEqual({
      status: 409,
      asks: false,
    });
    expect(answer.text).toContain('Ya no se puede cambiar aquí dónde entregar.');
    expect((await detail(guia.id)).destino).toMatchObject(PLACE);
  });

  it('takes a note alone while the courier is under way, ten in 24 hours, and shows it', async () => {
    const guia = await follow(PLACE);
    await walk(guia, 'en_camino_a_recoger', 'recogido', 'en_ruta');
    const body = new URLSearchParams({ nota: 'Déjelo con el guardia' });
    const { status, text } = await test.request(guia.path, { method: 'POST', body });
    expect({ status, hasNote: text.includes('Déjelo con el guardia') }).toEqual({
      status: 200,
      hasNote: true,
    });
    expectFaults(await post(guia, { nota: 'x', lat: 15, lng: -91 }), [
      'lat: campo_desconocido',
      'lng: campo_desconocido',
    ]);
    expectFaults(await post(guia, { nota: 'x', referencia: 'y' }), ['referencia: campo_desconocido']);
    expectFaults(await post(guia, { nota: 'x'.repeat(201) }), ['nota: demasiado_largo']);
    for (let n = 2; n <= 10; n++) expect((await post(guia, { nota: `nota ${n}` })).status).toBe(200);
    expectProblem(await post(guia, { nota: 'otra' }), 'guia_no_modificable');
    expect((await detail(guia.id)).destino).toMatchObject(PLACE);
  });

  it('takes the first place while the courier is under way', async () => {
    const guia = await follow();
    await walk(guia, 'en_camino_a_recoger', 'recogido', 'en_ruta');
    expect(await page(guia)).toMatchObject({ asks: true });
    expect((await post(guia, PLACE)).status).toBe(200);
    expectProblem(await post(guia, { lat: 15, lng: -91 }), 'guia_no_modificable');
  });

  it('takes 10 corrections in 24 hours, also of a place that the merchant gave, and says when it works again', async () => {
    const guia = await follow(PLACE);
    const correct = (n: number) => post(guia, { lat: 14 + n / 100, lng: -91 });
    for (let n = 1; n <= 10; n++) expect((await correct(n)).status).toBe(200);
    expect((await correct(10)).status).toBe(200);
    expectProblem(await correct(11), 'guia_no_modificable');
    const { text, asks } = await page(guia);
    expect(asks).toBe(false);
    expect(text).toContain('Ya la cambiaste 10 veces en 24 horas.');
    await test.database.query(
      `update eventos set creado_en = creado_en - interval '24 hours' where guia_id = $1 and secuencia <=
        (select min(secuencia) from eventos where guia_id = $1 and tipo = 'guia.confirmada' and actor = 'destinatario')`,
      [guia.id],
    );
    expect((await correct(11)).status).toBe(200);
    expectProblem(await correct(12), 'guia_no_modificable');
  });

  it('asks again after a failed attempt, for the place, the landmark and a note that the histories show', async () => {
    const guia = await follow(PLACE);
    await walk(guia, 'en_camino_a_recoger', 'recogido', 'en_ruta');
    await operator.move(guia.id, { estado: 'intento_fallido', motivo: 'direccion_incorrecta' });
    expect((await page(guia)).text).toMatch(/name="nota"[\s\S]*Avisarle al mensajero/);
    const nota = 'Toque el portón, el timbre no sirve';
    const answer = await post(guia, { nota });
    expect([answer.status, answer.body.direccion_confirmada]).toEqual([200, true]);
    expect(await post(guia, { nota: 'x'.repeat(201) })).toMatchObject({ status: 400 });
    const histories = [
      await merchant.get(`/api/v1/guias/${guia.id}/eventos`),
      await operator.get(`/api/v1/operaciones/guias/${guia.id}/eventos`),
    ];
    for (const { body } of histories)
      expect(body.eventos.at(-1)).toMatchObject({ actor: 'destinatario', nota });
    const told = await page(guia);
    expect(told.text).toContain('El mensajero leerá lo que nos dijiste.');
    const form = new URLSearchParams({ lat: '', lng: '', maps_url: '', referencia: 'Casa azul', nota });
    expect((await test.request(guia.path, { method: 'POST', body: form })).status).toBe(200);
    expect(await detail(guia.id)).toMatchObject({ referencia: 'Casa azul', destino: PLACE });
  });

  it('takes what is saved already as the answer to each failed attempt, once', async () => {
    const guia = await follow({ maps_url: 'https://maps.google.com/?q=14.6407,-90.5133' });
    const { destino } = await detail(guia.id);
    const send = async (nota: string) => {
      const body = new URLSearchParams({ lat: '', lng: '', maps_url: '', referencia: '', nota });
      return (await test.request(guia.path, { method: 'POST', body })).text;
    };
    const answers = async () =>
      (await merchant.get(`/api/v1/guias/${guia.id}/eventos`)).body.eventos.filter(
        ({ actor }: { actor: string }) => actor === 'destinatario',
      );
    await walk(guia, 'en_camino_a_recoger', 'recogido');
    for (const [nota, tipo] of [
      ['', 'guia.confirmada'],
      ['Toque el portón', 'guia.actualizada'],
      ['Toque el portón', 'guia.actualizada'],
    ] as const) {
      await walk(guia, 'en_ruta');
      await operator.move(guia.id, { estado: 'intento_fallido', motivo: 'ausente' });
      const before = (await answers()).length;
      for (let tap = 0; tap < 2; tap++)
        expect(await send(nota)).toContain('El mensajero leerá lo que nos dijiste.');
      const after = await answers();
      expect([after.length, after.at(-1).tipo]).toEqual([before + 1, tipo]);
      expect((await page(guia)).text).toContain('El mensajero leerá lo que nos dijiste.');
    }
    expect((await detail(guia.id)).destino).toEqual(destino);
  });

  it('says that a parcel that came back untried comes another day', async () => {
    const guia = await follow(PLACE);
    await walk(guia, 'en_camino_a_recoger', 'recogido', 'en_ruta', 'recogido');
    expect(await page(guia)).toMatchObject({ title: 'Tu paquete va otro día', asks: true });
  });

  it('takes once, for 7 days, that a delivered parcel did not arrive', async () => {
    const guia = await follow({ ...PLACE, cod_amount: 349.5 });
    expectProblem(await post(guia, { no_recibi: 'si' }), 'guia_no_modificable');
    await walk(guia, 'en_camino_a_recoger', 'recogido', 'en_ruta', 'entregado');
    const { text } = await page(guia);
    for (const part of ['Pagaste en efectivo', 'Q\u00a0349.50', 'No lo recibí']) expect(text).toContain(part);
    const long = new URLSearchParams({ no_recibi: 'si', texto: 'x'.repeat(201) });
    const refused = await test.request(guia.path, { method: 'POST', body: long });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('Lo que escribiste es demasiado largo: caben 200 letras.');
    expect(refused.text).toMatch(/<details class="denial" open[\s\S]*<textarea id="texto"[^>]*>\nx{201}</);
    const body = new URLSearchParams({ no_recibi: 'si', texto: 'Nadie vino' });
    const answer = await test.request(guia.path, { method: 'POST', body });
    expect(answer.text).toContain('Le avisamos a la mensajería y a la tienda que no lo recibiste.');
    expect((await page(guia)).text).toMatch(/class="band care"[\s\S]*<h1>Dijiste que no lo recibiste/);
    expect((await post(guia, { no_recibi: 'si' })).body.advertencia).toBe('destinatario_no_recibio');
    expect((await page(guia)).text).not.toContain('name="no_recibi"');
    const { advertencias, eventos } = {
      ...(await detail(guia.id)),
      ...(await merchant.get(`/api/v1/guias/${guia.id}/eventos`)).body,
    };
    expect(advertencias).toEqual(['destinatario_no_recibio']);
    const reported = { tipo: 'guia.destinatario_no_recibio', actor: 'destinatario', nota: 'Nadie vino' };
    expect(eventos.at(-1)).toMatchObject(reported);
    await operator.post(`/api/v1/operaciones/guias/${guia.id}/deshacer`, { motivo: 'Era otra puerta' });
    expect((await detail(guia.id)).advertencias).toEqual([]);
    const late = await follow(PLACE);
    await walk(late, 'en_camino_a_recoger', 'recogido', 'en_ruta', 'entregado');
    await change(late, `estado_en = now() - interval '7 days 1 second'`);
    expect((await page(late)).text).not.toContain('No lo recibí');
    expectProblem(await post(late, { no_recibi: 'si' }), 'guia_no_modificable');
  });

  it('stops working when the phone of the guide changes', async () => {
    const guia = await follow();
    await merchant.patch(`/api/v1/guias/${guia.id}`, { telefono: '5555 9876' });
    expect(await page(guia)).toMatchObject({ status: 404 });
    const { seguimiento } = await detail(guia.id);
    expect((await test.request(new URL(seguimiento).pathname)).status).toBe(200);
  });

  it('opens no other guide if a part of the token is replaced', async () => {
    const [one, other] = [await follow(), await follow()];
    const [a, b] = [one, other].map(({ path }) => Buffer.from(path.split('/')[2]!, 'base64url'));
    const forged = Buffer.concat([b!.subarray(0, 16), a!.subarray(16)]).toString('base64url');
    expect((await test.request(`/c/${forged}`)).status).toBe(404);
    expectProblem(await post({ id: '', path: `/c/${forged}` }, PLACE), 'no_encontrado');
    expect((await detail(other.id)).direccion_confirmada).toBe(false);
  });
});
