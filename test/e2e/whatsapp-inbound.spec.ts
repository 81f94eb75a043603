import { connect } from 'node:net';
import { setClocksAhead } from '../support/clock-ahead.js';
import { APP_SECRET_OF_META, VERIFY_TOKEN, WEBHOOK, type CloudApp } from '../support/cloud.js';
import { Console, CONSOLE_USERS } from '../support/console.js';
import { eventually, settled } from '../support/eventually.js';
import { failOn } from '../support/failing-statement.js';
import { newPhone, type MadeGuia } from '../support/messaging.js';
import { expectProblem } from '../support/problem.js';
import { exchange, requestHead } from '../support/raw-http.js';
import { withTestApp } from '../support/test-app.js';
import { ENTRANTES } from '../../src/notifications/inbound/inbound.queue.js';
import { QueuesService } from '../../src/platform/queues/queues.service.js';
import {
  BSUID,
  buttonReply,
  image,
  listReply,
  location,
  metaJson,
  quickReply,
  reaction,
  secondsAgo,
  signed,
  text,
  wamid,
  webhookBatch,
  webhookBody,
  WORDLESS,
  type MessageParts,
} from '../support/whatsapp-bodies.js';
import { opened, useCloudApp } from '../support/use.js';

const PLACE = { latitude: 14.6407, longitude: -90.5133 };
const OTHER_PLACE = { latitude: 14.7, longitude: -90.6 };

let users = 0;

/** A new person on WhatsApp. */
interface Person {
  telefono: string;
  /** The sender of their messages. */
  from: Required<Pick<MessageParts, 'from' | 'from_user_id'>>;
}

function person(telefono = newPhone()): Person {
  return { telefono, from: { from: telefono.slice(1), from_user_id: `GT.1000${++users}` } };
}

describe('a WhatsApp webhook', () => {
  const app = useCloudApp({ env: { BOARD_USERS: CONSOLE_USERS } });
  const merchant = opened(() => app.test.merchant());
  let ana: Console;

  beforeAll(() => void (ana = new Console(app.test)));
  afterEach(() => jest.restoreAllMocks());

  /** Creates a guide and waits until its recipient was asked. */
  const asked = async ({ telefono }: Person): Promise<MadeGuia & { wamid: string; mensajeId: string }> => {
    const guia = await app.messaging.create(merchant, { telefono });
    const { id, proveedor_id } = await app.messaging.reached(guia, 'aceptado');
    return { ...guia, mensajeId: id, wamid: proveedor_id! };
  };
  /** The texts that support's page of a guide shows, as HTML. */
  const written = async ({ guia }: MadeGuia) =>
    [...(await ana.page(`/admin/guias/${guia}`)).matchAll(/>Escribió: «([^»]*)»</g)].map(([, said]) => said);
  /** Moves the request of a guide into the past, by seconds. */
  const askedEarlier = ({ id }: MadeGuia, seconds: number) =>
    app.test.database.query(
      'update mensajes set primer_intento_en = now() - make_interval(secs => $2) where guia_id = $1',
      [id, seconds],
    );
  /** Delivers messages and waits until they are processed. */
  const says = async (...messages: Parameters<CloudApp['says']>) => {
    expect((await app.says(...messages)).status).toBe(200);
    await settled(app.test);
  };
  const isConfirmed = async (guia: MadeGuia) =>
    (await app.messaging.detail(merchant, guia)).direccion_confirmada as boolean;
  const destino = async (guia: MadeGuia) => (await app.messaging.detail(merchant, guia)).destino;
  /** What was sent to a person other than requests for confirmation. */
  const answers = (to: string) => app.sentTo(to).filter(({ json }) => json.type !== 'template');
  const lastAnswer = (to: string) => answers(to).at(-1)?.json;
  /** Asks a person for several guides, and lets them answer without context with a place. */
  const ask = async (count = 2, place = (from: Person['from']) => location(PLACE, from)) => {
    const who = person();
    const guias = [];
    for (let i = 0; i < count; i++) guias.push(await asked(who));
    await says(place(who.from));
    const { interactive } = lastAnswer(who.telefono);
    return { who, guias, interactive };
  };
  const choiceOf = ({ interactive }: Awaited<ReturnType<typeof ask>>, guia: MadeGuia): string =>
    interactive.action.buttons.find(({ reply }: any) => reply.title.includes(guia.guia)).reply.id;
  /** Waits until a message waits for its map service. The returned function has it tried again until it is handled. */
  const waitsForMap = async () => {
    const queue = app.test.app.get(QueuesService).queue(ENTRANTES);
    await eventually(async () => expect(await queue.getDelayed()).not.toEqual([]));
    return async () => {
      const again = async () => {
        // One that was due already, and found the service away once more, waits again.
        for (const job of await queue.getDelayed()) await job.promote().catch(() => undefined);
        const unhandled = 'select id from entrantes where procesado_en is null';
        const left = await app.test.database.query(unhandled);
        const failed = left.length === 0 ? [] : await queue.getFailed();
        expect({ left, why: failed.map((job) => job.failedReason) }).toEqual({ left: [], why: [] });
      };
      // Not faster: a job fails for good at its tenth defect, and a busy machine has defects of a second.
      await eventually(again, undefined, 1_000);
      await settled(app.test);
    };
  };

  describe('verification by Meta', () => {
    const challenge = (query: Record<string, string>) =>
      app.test.request(`${WEBHOOK}?${new URLSearchParams(query).toString()}`);
    const right = {
      'hub.mode': 'subscribe',
      'hub.verify_token': VERIFY_TOKEN,
      'hub.challenge': '1158201444',
    };

    it('returns the challenge unchanged', async () => {
      const { status, text: body, headers } = await challenge(right);
      expect([status, body, headers.get('content-type')]).toEqual([
        200,
        '1158201444',
        'text/plain; charset=utf-8',
      ]);
    });

    it.each([
      ['with another token', { ...right, 'hub.verify_token': 'wrong' }],
      ['without a token', { 'hub.mode': 'subscribe', 'hub.challenge': '1' }],
      ['for another mode', { ...right, 'hub.mode': 'unsubscribe' }],
      ['without a challenge', { 'hub.mode': 'subscribe', 'hub.verify_token': VERIFY_TOKEN }],
    ])('is refused %s', async (_, query) => {
      const answer = await challenge(query);
      expectProblem(answer, 'sin_permiso');
      expect(answer.text).not.toContain(VERIFY_TOKEN);
    });
  });

  describe('is refused and changes nothing', () => {
    const send = (body: string, headers: Record<string, string>) =>
      app.test.request(WEBHOOK, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
    const who = person();
    let guia: MadeGuia;
    beforeAll(async () => (guia = await asked(who)));

    it.each<[string, (body: string) => Record<string, string>]>([
      ['signed with another secret', (body) => signed(body, 'another')],
      [
        'signed over its JSON serialised again',
        (body) => signed(JSON.stringify(JSON.parse(body)), APP_SECRET_OF_META),
      ],
    ])('%s', async (_, headers) => {
      const body = metaJson(
        webhookBody({ messages: [location({ ...PLACE, name: 'Café Ñandú' }, who.from)] }),
      );
      expectProblem(await send(body, headers(body)), 'no_autenticado');
      await settled(app.test);
      expect(await isConfirmed(guia)).toBe(false);
    });
  });

  describe('is refused before its body is sent', () => {
    const head = (headers: Record<string, string>) =>
      requestHead('POST', WEBHOOK, {
        'Content-Type': 'application/json',
        'Content-Length': String(3 * 1024 * 1024),
        ...headers,
      });
    const signature = `sha256=${'0'.repeat(64)}`;

    it.each<[string, Record<string, string>]>([
      ['without a signature', {}],
      ['with a malformed signature', { 'X-Hub-Signature-256': 'sha256=00' }],
      ['with two signatures', { 'X-Hub-Signature-256': signature, 'x-hub-signature-256': signature }],
    ])('%s: 401', async (_, headers) => {
      expectProblem(await exchange(app.test.url, head(headers)), 'no_autenticado');
    });

    it('where WhatsApp is not configured: 401', async () => {
      await withTestApp({ database: app.test.database }, async ({ url }) =>
        expectProblem(await exchange(url, head({ 'X-Hub-Signature-256': signature })), 'no_autenticado'),
      );
    });

    it('while eight large ones arrive: 503', async () => {
      const { hostname, port } = new URL(app.test.url);
      const arriving = Array.from({ length: 8 }, () => {
        const socket = connect(Number(port), hostname);
        socket.write(head({ 'X-Hub-Signature-256': signature }));
        return socket;
      });
      const next = () =>
        exchange(
          app.test.url,
          head({ 'X-Hub-Signature-256': signature, 'Content-Length': '99999' }),
          ' '.repeat(99_999),
        );
      await eventually(async () => expectProblem(await next(), 'no_disponible'));
      for (const socket of arriving) socket.destroy();
      await eventually(async () => expectProblem(await next(), 'no_autenticado'));
    });
  });

  describe('with a signed body is accepted', () => {
    const recorded = () => app.test.database.query<{ n: number }>('select count(*)::int as n from entrantes');

    it.each([
      ['no JSON', '{"object":'],
      ['nothing', ''],
      ['of another number', JSON.stringify(webhookBody({ messages: [location(PLACE)], phoneNumberId: '1' }))],
    ])('without effect: %s', async (_, body) => {
      const before = await recorded();
      expect((await app.deliver(body)).status).toBe(200);
      expect(await recorded()).toEqual(before);
    });

    it('up to 2.5 MB', async () => {
      const who = person();
      const guia = await asked(who);
      const body = webhookBatch([
        [{ messages: [text('x'.repeat(2_500_000), person().from)] }],
        [{ messages: [location(PLACE, who.from)] }],
      ]);
      expect((await app.deliver(JSON.stringify(body))).status).toBe(200);
      await settled(app.test);
      expect(await isConfirmed(guia)).toBe(true);
    });

    it('but not above 3 MiB', async () => {
      expectProblem(await app.deliver(' '.repeat(3 * 1024 * 1024 + 1)), 'cuerpo_demasiado_grande');
    });

    it('and every message in every change of every entry is processed', async () => {
      const people = Array.from({ length: 4 }, () => person());
      const guias = await Promise.all(people.map(asked));
      const [a, b, c, d] = people.map(({ from }) => location({ ...PLACE, name: 'Café Ñandú 🏠' }, from));
      const body = webhookBatch([
        [{ messages: [a!, b!] }, { statuses: [] }],
        [
          { messages: [image()], phoneNumberId: '1' },
          { messages: [c!] },
          { messages: [...Array.from({ length: 300 }, () => reaction(wamid())), d!] },
        ],
      ]);
      // Escaped, as Meta writes it.
      expect((await app.deliver(metaJson(body))).status).toBe(200);
      await settled(app.test);
      expect(await Promise.all(guias.map(isConfirmed))).toEqual([true, true, true, true]);
    });

    it('and processed once, however often it is delivered at the same time', async () => {
      const who = person();
      const guia = await asked(who);
      const body = JSON.stringify(webhookBody({ messages: [location(PLACE, who.from)] }));
      const statuses = await Promise.all([1, 2, 3].map(async () => (await app.deliver(body)).status));
      expect(statuses).toEqual([200, 200, 200]);
      await settled(app.test);
      await app.deliver(body);
      await settled(app.test);
      expect(
        (await app.messaging.events(guia)).filter(({ tipo }) => tipo === 'guia.confirmada'),
      ).toHaveLength(1);
      expect(answers(who.telefono)).toHaveLength(1);
    });
  });

  describe('a location', () => {
    it('that answers a message confirms only the guide of that message', async () => {
      const who = person();
      const [first, second] = [await asked(who), await asked(who)];
      await says(location(PLACE, { ...who.from, answers: first.wamid }));
      expect([await isConfirmed(first), await isConfirmed(second)]).toEqual([true, false]);
      expect(await destino(first)).toEqual({ lat: 14.6407, lng: -90.5133, maps_url: null });
      expect(await app.messaging.events(first)).toContainEqual({
        tipo: 'guia.confirmada',
        datos: { estado: 'aceptado', origen: 'whatsapp' },
      });
    });

    it('without context confirms the only guide that waits, and is acknowledged', async () => {
      const who = person();
      const guia = await asked(who);
      await says(location(PLACE, who.from));
      expect(await isConfirmed(guia)).toBe(true);
      expect(answers(who.telefono)).toHaveLength(1);
      expect(lastAnswer(who.telefono)).toMatchObject({
        type: 'text',
        text: { body: expect.stringContaining(guia.guia) },
      });
    });

    it('that quotes a message confirms its guide, whatever number and id the person has now', async () => {
      for (const from of [person().from, { from: undefined, from_user_id: `${BSUID}9` }]) {
        const guia = await asked(person());
        await says(location(PLACE, { ...from, answers: guia.wamid }));
        expect(await isConfirmed(guia)).toBe(true);
        expect(answers(from.from ?? from.from_user_id)).toHaveLength(1);
      }
    });

    it('that quotes a message to a number that the guide has no more confirms nothing', async () => {
      const who = person();
      const guia = await asked(who);
      await merchant.patch(`/api/v1/guias/${guia.id}`, { telefono: newPhone() });
      await says(location(PLACE, { ...who.from, answers: guia.wamid }));
      expect(await isConfirmed(guia)).toBe(false);
    });

    it('from a person who was not asked gets the explanation', async () => {
      const who = person();
      await says(location(PLACE, who.from));
      expect(lastAnswer(who.telefono).text.body).toContain('número automático');
    });

    it('corrects the previous one until the courier leaves, and is then told so, with and without context', async () => {
      const who = person();
      const guia = await asked(who);
      await says(location(OTHER_PLACE, who.from));
      await says(location(PLACE, who.from));
      await app.test.database.query(`update guias set estado = 'en_ruta' where id = $1`, [guia.id]);
      for (const parts of [{}, { answers: guia.wamid }]) {
        await says(location(OTHER_PLACE, { ...who.from, ...parts }));
        expect(lastAnswer(who.telefono).text.body).toMatch(`${guia.guia}) no admite cambios por aquí`);
      }
      expect(answers(who.telefono)).toHaveLength(4);
      expect(await destino(guia)).toMatchObject({ lat: 14.6407 });
    });

    it.each([
      ['a pin', (parts: MessageParts) => location(PLACE, parts)],
      ['a text', (parts: MessageParts) => text('14.6407, -90.5133', parts)],
    ])('that is newer is not replaced by %s that is delivered later', async (_, make) => {
      const who = person();
      const guia = await asked(who);
      await askedEarlier(guia, 600);
      await says(location(OTHER_PLACE, { ...who.from, timestamp: secondsAgo(60) }));
      const older = { ...who.from, timestamp: secondsAgo(180) };
      const late = make(older);
      for (const message of [late, make({ ...older, answers: guia.wamid }), late]) await says(message);
      expect(await destino(guia)).toMatchObject({ lat: 14.7, lng: -90.6 });
      expect(answers(who.telefono)).toHaveLength(1);
      expect(
        (await app.messaging.events(guia)).filter(({ tipo }) => tipo === 'guia.confirmada'),
      ).toHaveLength(1);
    });

    it('that was sent before the merchant set the destination does not replace it', async () => {
      const who = person();
      const guia = await asked(who);
      await askedEarlier(guia, 600);
      const late = location(PLACE, { ...who.from, timestamp: secondsAgo(60), answers: guia.wamid });
      const set = { lat: 14.7, lng: -90.6 };
      expect((await merchant.patch(`/api/v1/guias/${guia.id}`, set)).status).toBe(200);
      await says(late);
      expect(await destino(guia)).toMatchObject(set);
      await says(location(PLACE, { ...who.from, answers: guia.wamid }));
      expect(await destino(guia)).toMatchObject({ lat: 14.6407 });
    });

    it.each([
      ['three days before the guide existed', 3 * 24 * 3_600],
      ['a minute before the request', 60],
    ])('that was sent %s confirms nothing, and is asked for', async (_, seconds) => {
      const who = person();
      const guia = await asked(who);
      const early = location(PLACE, { ...who.from, timestamp: secondsAgo(seconds) });
      await says(early);
      await says(early);
      expect(await isConfirmed(guia)).toBe(false);
      expect(answers(who.telefono).map(({ json }) => json.interactive?.type)).toEqual([
        'location_request_message',
      ]);
      await says(location(PLACE, who.from));
      expect(await isConfirmed(guia)).toBe(true);
    });

    it('that was sent between two requests confirms the guide of the first', async () => {
      const who = person();
      const guias = [await asked(who), await asked(who)];
      await askedEarlier(guias[0]!, 3_600);
      await says(location(PLACE, { ...who.from, timestamp: secondsAgo(1_800) }));
      expect(await Promise.all(guias.map(isConfirmed))).toEqual([true, false]);
    });

    it('that quotes the message of a closed guide is offered to the guide that waits', async () => {
      const who = person();
      const closed = await asked(who);
      const waiting = await asked(who);
      expect((await merchant.post(`/api/v1/guias/${closed.id}/cancelar`)).status).toBe(200);
      await says(location(PLACE, { ...who.from, answers: closed.wamid }));
      const { interactive } = lastAnswer(who.telefono);
      expect(interactive.body.text).toContain(`${closed.guia}) ya no admite cambios`);
      expect(interactive.action.buttons.map(({ reply }: any) => reply.title)).toEqual([
        `Guía ${waiting.guia}`,
      ]);
      expect([await isConfirmed(closed), await isConfirmed(waiting)]).toEqual([false, false]);
      await says(buttonReply(interactive.action.buttons[0].reply.id, wamid(), who.from));
      expect(await isConfirmed(waiting)).toBe(true);
      expect(await destino(waiting)).toMatchObject({ lat: 14.6407 });
      expect(answers(who.telefono)).toHaveLength(2);
    });
  });

  describe('with a location without context while several guides wait', () => {
    it('confirms no guide and asks which one, with buttons, and then the chosen one alone', async () => {
      const asking = await ask();
      const { who, guias, interactive } = asking;
      expect(interactive.type).toBe('button');
      expect(interactive.action.buttons.map(({ reply }: any) => reply.title).sort()).toEqual(
        guias.map(({ guia }) => `Guía ${guia}`).sort(),
      );
      expect(await Promise.all(guias.map(isConfirmed))).toEqual([false, false]);
      await says(buttonReply(choiceOf(asking, guias[0]!), wamid(), who.from));
      expect(await Promise.all(guias.map(isConfirmed))).toEqual([true, false]);
      expect(await destino(guias[0]!)).toMatchObject({ lat: 14.6407, lng: -90.5133 });
    });

    it('asks with a list if more than three guides are waiting', async () => {
      const { who, guias, interactive } = await ask(4);
      expect(interactive.type).toBe('list');
      const [row] = interactive.action.sections[0].rows;
      await says(listReply(row.id, wamid(), who.from));
      const confirmed = await Promise.all(guias.map(isConfirmed));
      expect(confirmed.filter(Boolean)).toHaveLength(1);
      expect(confirmed[guias.findIndex(({ guia }) => row.title.includes(guia))]).toBe(true);
    });

    it('ignores a choice by another person', async () => {
      const asking = await ask();
      const stranger = person();
      await asked(stranger);
      await says(buttonReply(choiceOf(asking, asking.guias[0]!), wamid(), stranger.from));
      expect(await Promise.all(asking.guias.map(isConfirmed))).toEqual([false, false]);
    });

    it('confirms no guide of another person, whatever the choice says', async () => {
      const asking = await ask();
      const other = await asked(person());
      const payload = choiceOf(asking, asking.guias[0]!).replace(asking.guias[0]!.id, other.id);
      await says(buttonReply(payload, wamid(), asking.who.from));
      expect(await isConfirmed(other)).toBe(false);
    });
  });

  describe('a location whose processing failed midway', () => {
    /** Delivers a location that confirms a guide. Until the returned function is called, no location is acknowledged. */
    const half = async (message: Parameters<CloudApp['says']>[0], guia: MadeGuia) => {
      const mend = await failOn(app.test.database, 'insert on mensajes', `new.tipo = 'ubicacion_recibida'`);
      await app.says(message);
      await eventually(async () => expect(await isConfirmed(guia)).toBe(true));
      return async () => {
        await mend();
        await settled(app.test);
      };
    };
    const confirmations = async (guia: MadeGuia) =>
      (await app.messaging.events(guia)).filter(({ tipo }) => tipo === 'guia.confirmada');

    it('confirms no newer guide when it is repeated, and its guide once', async () => {
      const who = person();
      const guia = await asked(who);
      const repeat = await half(location(PLACE, who.from), guia);
      const newer = await asked(who);
      await repeat();
      expect(await isConfirmed(newer)).toBe(false);
      expect(await confirmations(guia)).toHaveLength(1);
      expect(lastAnswer(who.telefono).text.body).toContain(guia.guia);
    });

    it('does not replace a newer one when it is repeated', async () => {
      const who = person();
      const guia = await asked(who);
      const repeat = await half(location(PLACE, who.from), guia);
      await app.says(location(OTHER_PLACE, { ...who.from, answers: guia.wamid }));
      await eventually(async () => expect(await confirmations(guia)).toHaveLength(2));
      await repeat();
      expect(await destino(guia)).toMatchObject({ lat: 14.7, lng: -90.6 });
      expect(await confirmations(guia)).toHaveLength(2);
    });
  });

  it('with an older location that is handled after a newer one does not replace it', async () => {
    const who = person();
    const guia = await asked(who);
    const link = 'https://maps.app.goo.gl/lento';
    // The service of the link does not answer at first.
    await app.says(text(link, { ...who.from, answers: guia.wamid }));
    const retry = await waitsForMap();
    await app.says(location(OTHER_PLACE, { ...who.from, answers: guia.wamid }));
    await eventually(async () => expect(await isConfirmed(guia)).toBe(true));
    // Now it does: it is as if the text held the coordinates.
    await app.test.database.query(`update entrantes set cuerpo = replace(cuerpo, $1, '14.6407, -90.5133')`, [
      link,
    ]);
    await retry();
    expect(await destino(guia)).toMatchObject({ lat: 14.7, lng: -90.6 });
  });

  describe('a text', () => {
    it('with a map link confirms, and keeps the link', async () => {
      const who = person();
      const guia = await asked(who);
      const link = 'https://www.google.com/maps/search/?api=1&query=14.6407,-90.5133';
      await says(text(`Aquí es ${link} gracias`, who.from));
      expect(await destino(guia)).toMatchObject({ lat: 14.6407, lng: -90.5133 });
      expect((await destino(guia)).maps_url).toContain(link);
    });

    const answerTypes = (to: string) => answers(to).map(({ json }) => json.interactive?.type ?? json.type);

    it('that is not understood gets the location request, then one explanation a day', async () => {
      const who = person();
      const guia = await asked(who);
      await says(text('hola', who.from));
      expect(answerTypes(who.telefono)).toEqual(['location_request_message']);
      await says(text('¿quién es?', who.from));
      await says(text('¿hola?', who.from));
      expect(answerTypes(who.telefono)).toEqual(['location_request_message', 'text']);
      expect(lastAnswer(who.telefono).text.body).toContain('número automático');
      expect(await isConfirmed(guia)).toBe(false);
      await app.test.database.query(
        `update mensajes set creado_en = now() - interval '24 hours 1 second'
          where tipo in ('ayuda', 'pedir_ubicacion') and telefono = $1`,
        [who.telefono],
      );
      await says(text('hola', who.from));
      expect(answerTypes(who.telefono).slice(2)).toEqual(['location_request_message']);
    });

    it('is what a message without words counts as: a location request, then one explanation a day', async () => {
      const who = person();
      const guia = await asked(who);
      const messages = WORDLESS.slice(0, 3).map(([, make]) => make(who.from));
      for (const message of [...messages, ...messages]) await says(message);
      expect(answerTypes(who.telefono)).toEqual(['location_request_message', 'text']);
      expect(lastAnswer(who.telefono).text.body).toContain('número automático');
      expect(await isConfirmed(guia)).toBe(false);
    });

    it('below a photo counts as any other', async () => {
      const [confirming, leaving] = [person(), person()];
      const guia = await asked(confirming);
      await says(image(confirming.from, '14.6407, -90.5133'), image(leaving.from, 'BAJA'));
      expect(await isConfirmed(guia)).toBe(true);
      expect(lastAnswer(leaving.telefono).text.body).toContain('no recibirás más mensajes');
    });

    it('gets a location request whose answer is for the guide of the message that the text answers', async () => {
      const who = person();
      const guias = [await asked(who), await asked(who)];
      await says(text('hola', { ...who.from, answers: guias[0]!.wamid }));
      const [picker] = await app.test.database.query<{ id: string }>(
        'select proveedor_id as id from mensajes where id = $1',
        [lastAnswer(who.telefono).biz_opaque_callback_data],
      );
      await says(location(PLACE, { ...who.from, answers: picker!.id }));
      expect(await Promise.all(guias.map(isConfirmed))).toEqual([true, false]);
    });

    it('gets the explanation, and no location request, once the guide is confirmed', async () => {
      const who = person();
      const guia = await asked(who);
      await says(location(PLACE, who.from));
      await says(text('gracias', who.from));
      expect(await isConfirmed(guia)).toBe(true);
      expect(answerTypes(who.telefono)).not.toContain('location_request_message');
      expect(lastAnswer(who.telefono).text.body).toContain('número automático');
    });

    it('gets one explanation even if several arrive at once', async () => {
      const who = person();
      await says(...Array.from({ length: 20 }, (_, i) => text(`hola ${i}`, who.from)));
      expect(answers(who.telefono)).toHaveLength(1);
    });

    it('with NUL and lone surrogates is accepted', async () => {
      const who = person();
      const guia = await asked(who);
      await says(text('a\0b\ud800c', who.from));
      expect(answers(who.telefono)).toHaveLength(1);
      expect(await written(guia)).toEqual(['abc']);
    });

    describe('is shown to support', () => {
      it("on each open guide of the sender's number, also of other merchants", async () => {
        const who = person();
        const other = await app.test.merchant();
        const [first, closed] = [await asked(who), await asked(who)];
        const second = await app.messaging.create(other, { telefono: who.telefono, lat: 14.6, lng: -90.5 });
        const strangers = await asked(person());
        await merchant.post(`/api/v1/guias/${closed.guia}/cancelar`);
        await says(text('¿Cuándo llega?\nEs la casa <azul>', who.from));
        for (const guia of [first, second])
          expect(await written(guia)).toEqual(['¿Cuándo llega?\nEs la casa &lt;azul>']);
        for (const guia of [closed, strangers]) expect(await written(guia)).toEqual([]);
      });

      it('on the guide of the message that it quotes alone, though it has ended', async () => {
        const who = person();
        const [quoted, open] = [await asked(who), await asked(who)];
        await merchant.post(`/api/v1/guias/${quoted.guia}/cancelar`);
        const said = text('Ese no lo pedí', { ...who.from, answers: quoted.wamid });
        await says(said);
        await says(said);
        expect(await written(quoted)).toEqual(['Ese no lo pedí']);
        expect(await written(open)).toEqual([]);
      });

      it('under another form of the number', async () => {
        const who = person('+525512345688');
        const guia = await asked(who);
        await says(text('Hola', { ...who.from, from: '5215512345688' }));
        expect(await written(guia)).toEqual(['Hola']);
      });

      it('if it is an opt-out or a map link, too, and the newest first', async () => {
        const who = person();
        const guia = await asked(who);
        for (const words of ['14.6407, -90.5133', 'BAJA']) await says(text(words, who.from));
        expect(await written(guia)).toEqual(['BAJA', '14.6407, -90.5133']);
      });

      it('and not to users who only look', async () => {
        const who = person();
        const guia = await asked(who);
        await says(text('Es un secreto', who.from));
        const looking = new Console(app.test, 'leo');
        expect(await looking.page(`/admin/guias/${guia.guia}`)).not.toContain('secreto');
      });
    });
  });

  it('with a tap on the quick reply opens the location picker, once', async () => {
    const who = person();
    const guia = await asked(who);
    const { components } = app.sentTo(who.telefono)[0]!.json.template;
    const { payload } = components.find(({ sub_type }: any) => sub_type === 'quick_reply').parameters[0];
    const tap = quickReply(payload, guia.wamid, who.from);
    await says(tap);
    await says(tap);
    expect(answers(who.telefono)).toHaveLength(1);
    expect(lastAnswer(who.telefono)).toMatchObject({
      type: 'interactive',
      interactive: { type: 'location_request_message', action: { name: 'send_location' } },
    });
  });

  it('with a location from that picker confirms the guide whose button was tapped', async () => {
    const who = person();
    const guias = [await asked(who), await asked(who), await asked(who)];
    await says(quickReply(`ubicacion:${guias[1]!.mensajeId}`, guias[1]!.wamid, who.from));
    const [picker] = await app.test.database.query<{ id: string }>(
      'select proveedor_id as id from mensajes where id = $1',
      [lastAnswer(who.telefono).biz_opaque_callback_data],
    );
    await says(location(PLACE, { ...who.from, answers: picker!.id }));
    expect(await Promise.all(guias.map(isConfirmed))).toEqual([false, true, false]);
  });

  it('with a tap on an unknown button has no effect', async () => {
    const who = person();
    await says(quickReply('otra cosa', wamid(), who.from), buttonReply('elegir:x', wamid(), who.from));
    expect(answers(who.telefono)).toEqual([]);
  });

  describe('from a person who is not the recipient', () => {
    const isDenied = async (guia: MadeGuia) =>
      ((await app.messaging.detail(merchant, guia)).advertencias as string[]).includes('destinatario_niega');
    const askedAs = async ({ telefono }: Person, nombre: string) => {
      const guia = await app.messaging.create(merchant, { telefono, nombre });
      const { proveedor_id } = await app.messaging.reached(guia, 'aceptado');
      return { ...guia, wamid: proveedor_id! };
    };

    it('denies each guide that waits for the number, without an answer, and is shown to support', async () => {
      const who = person();
      const confirmed = await asked(who);
      await says(location(PLACE, who.from));
      const guias = [await asked(who), await asked(who)];
      const before = answers(who.telefono).length;
      const said = text('Número equivocado, disculpe', who.from);
      await says(said);
      await says(said);
      expect(await Promise.all([...guias, confirmed].map(isDenied))).toEqual([true, true, false]);
      expect(answers(who.telefono)).toHaveLength(before);
      expect(await written(guias[0]!)).toEqual(['Número equivocado, disculpe']);
      expect((await app.messaging.events(guias[0]!)).map(({ tipo }) => tipo)).toContain(
        'guia.destinatario_niega',
      );
    });

    it('denies the guide of the message that it quotes alone', async () => {
      const who = person();
      const [quoted, other] = [await asked(who), await asked(who)];
      await says(text('Ese no lo pedí', { ...who.from, answers: quoted.wamid }));
      expect([await isDenied(quoted), await isDenied(other)]).toEqual([true, false]);
    });

    it('denies no guide of several where it does not say which', async () => {
      const who = person();
      const guias = [await asked(who), await asked(who)];
      await says(text('No es mío', who.from));
      expect(await Promise.all(guias.map(isDenied))).toEqual([false, false]);
    });

    it('denies the guides of the name that it says', async () => {
      const who = person();
      const [ana, rosa] = [await askedAs(who, 'Ana López'), await askedAs(who, 'Rosa Xol')];
      await says(text('Yo no soy Ana', who.from));
      expect([await isDenied(ana), await isDenied(rosa)]).toEqual([true, false]);
    });

    it('opts out as well, if it says so', async () => {
      const who = person();
      const guia = await asked(who);
      await says(text('Número equivocado, no me escriban', who.from));
      expect(await isDenied(guia)).toBe(true);
      expect(lastAnswer(who.telefono).text.body).toContain('no recibirás más mensajes');
    });

    it('gets the explanation, if nobody asked them', async () => {
      const who = person();
      await says(text('Número equivocado', who.from));
      expect(lastAnswer(who.telefono).text.body).toContain('número automático');
    });
  });

  describe('from a person who opts out', () => {
    it('is acknowledged and gets no more messages', async () => {
      const who = person();
      await asked(who);
      await says(text('“alto.”', who.from));
      expect(answers(who.telefono).map(({ json }) => json.text.body)).toEqual([
        expect.stringContaining('no recibirás más mensajes'),
      ]);
      const later = await app.messaging.create(merchant, { telefono: who.telefono });
      await app.messaging.reached(later, 'omitido');
      await settled(app.test);
      expect((await app.messaging.detail(merchant, later)).advertencias).toEqual(['mensaje_omitido_baja']);
      await says(text('hola', who.from));
      expect(app.sentTo(who.telefono)).toHaveLength(2);
    });

    it('or in many times a day gets one reply of each kind', async () => {
      const who = person();
      const words = ['BAJA', 'BAJA', 'ALTA', 'ALTA', 'BAJA', 'ALTA'];
      for (const word of words) await says(text(word, who.from));
      await says(...words.map((word) => text(word, who.from)));
      expect(answers(who.telefono)).toHaveLength(2);
    });

    it('and in again gets messages again', async () => {
      const who = person();
      await says(text('BAJA', who.from));
      await says(text('Alta', who.from));
      expect(lastAnswer(who.telefono).text.body).toContain('volverás a recibir');
      await asked(who);
    });

    it.each<[last: string, first: string, expected: string]>([
      ['ALTA', 'BAJA', 'aceptado'],
      ['BAJA', 'ALTA', 'omitido'],
    ])('and wishes %s after %s which is delivered later: %3$s', async (last, first, expected) => {
      const who = person();
      await says(text(last, { ...who.from, timestamp: secondsAgo(60) }));
      const replies = answers(who.telefono).length;
      const late = text(first, { ...who.from, timestamp: secondsAgo(120) });
      await says(late);
      await says(late);
      expect(answers(who.telefono)).toHaveLength(replies);
      await app.messaging.reached(await app.messaging.create(merchant, { telefono: who.telefono }), expected);
    });
  });

  describe('identifies the sender', () => {
    it('by either form of the number', async () => {
      const who = person('+525512345678');
      const guia = await asked(who);
      await says(location(PLACE, { ...who.from, from: '5215512345678' }));
      expect(await isConfirmed(guia)).toBe(true);
    });

    it('by a user id that an earlier status reported', async () => {
      const who = person();
      const guia = await asked(who);
      await app.reports({ id: guia.wamid, status: 'delivered', recipient_user_id: who.from.from_user_id });
      await settled(app.test);
      await says(location(PLACE, { from: undefined, from_user_id: who.from.from_user_id }));
      expect(await isConfirmed(guia)).toBe(true);
      expect(answers(who.from.from_user_id)).toHaveLength(1);
    });

    it('by no unknown user id', async () => {
      const guia = await asked(person());
      await says(location(PLACE, { from: undefined, from_user_id: BSUID }));
      expect(await isConfirmed(guia)).toBe(false);
    });
  });

  it('is deleted once it is processed, and is in no log', async () => {
    const who = person();
    await asked(who);
    await says(location({ latitude: 14.123456, longitude: -90.654321 }, who.from));
    const rows = await app.test.database.query(
      `select * from entrantes where cuerpo like '%14.123456%' or procesado_en is null`,
    );
    expect(rows).toEqual([]);
    const logs = JSON.stringify(app.test.logs);
    expect(logs).not.toContain('14.123456');
    expect(logs).not.toContain(who.telefono.slice(1));
    await eventually(() => expect(answers(who.telefono)).toHaveLength(1));
  });

  describe('whose link gets no answer from its map service for a quarter of an hour is told how to answer', () => {
    const LINK = 'https://maps.app.goo.gl/mudo';
    let quarters = 0;
    const explanations = ({ telefono }: Person) =>
      answers(telefono).filter(
        ({ json }) =>
          json.text?.body.includes('número automático') ||
          json.interactive?.type === 'location_request_message',
      );
    const expectExplainedAfterIt = async (who: Person) => {
      const retry = await waitsForMap();
      expect(explanations(who)).toEqual([]);
      // Further ahead each time: ids, which tell the age of a message, do not go back with the clock.
      setClocksAhead(++quarters * 15 * 60_000);
      await retry();
      expect(explanations(who)).toHaveLength(1);
    };

    it('when it comes as a text', async () => {
      const who = person();
      const guia = await asked(who);
      await app.says(text(LINK, who.from));
      await expectExplainedAfterIt(who);
      expect(answers(who.telefono)).toHaveLength(1);
      expect(await isConfirmed(guia)).toBe(false);
    });

    it('when its guide is chosen', async () => {
      const place = '14.6407, -90.5133';
      const asking = await ask(2, (from) => text(place, from));
      // As if the place had come by a link whose service answered then, and no more.
      await app.test.database.query(`update entrantes set cuerpo = replace(cuerpo, $1, $2)`, [place, LINK]);
      await app.says(buttonReply(choiceOf(asking, asking.guias[0]!), wamid(), asking.who.from));
      await expectExplainedAfterIt(asking.who);
      expect(await Promise.all(asking.guias.map(isConfirmed))).toEqual([false, false]);
    });
  });
});
