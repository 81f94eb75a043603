/**
 * @typedef Mutant
 * @property {string} file of `src`.
 * @property {string} before a part of a line, which stands in the file once.
 * @property {string} after what is there instead.
 * @property {string[]} guards the test files that may see it, the most likely one first.
 */

const raw = String.raw;

/** Changes that a careful reviewer would want the tests to see; spread over all rooms. @type {Mutant[]} */
export const MUTANTS = [
  // Guides: create, lists, changes, files.
  {
    file: 'src/guias/create/guia-inserts.queries.ts',
    before: 'where check_deadline($2)`',
    after: 'where true`',
    guards: ['test/e2e/create-deadline.spec.ts'],
  },
  {
    file: 'src/guias/create/differing-fields.ts',
    before: '!isSame(nueva[column]',
    after: 'isSame(nueva[column]',
    guards: ['src/guias/create/differing-fields.spec.ts'],
  },
  {
    file: 'src/guias/list/guia-list.queries.ts',
    before: `'cardinality(advertencias) > 0'`,
    after: `'cardinality(advertencias) >= 0'`,
    guards: ['test/e2e/list-changed-guias.spec.ts'],
  },
  {
    file: 'src/guias/guias.queries.ts',
    before: 'from guias where comercio_id = $1 and`;',
    after: 'from guias where $1::uuid is not null and`;',
    guards: ['test/e2e/isolation.spec.ts'],
  },
  {
    file: 'src/guias/guia/guia-estado.ts',
    before: `next: ['en_ruta', 'en_devolucion', 'extraviado']`,
    after: `next: ['en_ruta', 'en_devolucion']`,
    guards: ['src/guias/guia/guia-estado.spec.ts'],
  },
  {
    file: 'src/guias/changes/guia-move.ts',
    before: 'Date.parse(ocurrido_en) < Date.parse(estado_en)',
    after: 'Date.parse(ocurrido_en) <= Date.parse(estado_en)',
    guards: ['src/guias/changes/guia-move.spec.ts'],
  },
  {
    file: 'src/guias/changes/guia-changes.queries.ts',
    before: '${where} for update`',
    after: '${where}`',
    guards: ['test/e2e/undo-move.spec.ts'],
  },
  {
    file: 'src/guias/changes/guia-registro.ts',
    before: 'checkCollected(movimiento.cod_cobrado, actual.moneda)',
    after: 'void checkCollected',
    guards: ['test/e2e/cobros.spec.ts'],
  },
  {
    file: 'src/guias/lote/csv-cells.ts',
    before: raw`[1-9]\d{0,2}[.,]\d{3}$/`,
    after: raw`[1-9]\d{1,2}[.,]\d{3}$/`,
    guards: ['src/guias/lote/csv-cells.spec.ts'],
  },

  // Access.
  {
    file: 'src/auth/key-limits.ts',
    before: 'if (count.consumedPoints > this.perMinute) throw',
    after: 'if (count.consumedPoints >= this.perMinute) throw',
    guards: ['src/auth/key-limits.spec.ts', 'test/e2e/rate-limit.spec.ts'],
  },
  {
    file: 'src/auth/keys/authentication.queries.ts',
    before: 'least(k.expira_en, k.solape_hasta)',
    after: 'greatest(k.expira_en, k.solape_hasta)',
    guards: ['test/e2e/api-keys.spec.ts'],
  },

  // Messages and their answers.
  {
    file: 'src/notifications/sending/tries.queries.ts',
    before: "interval '24 hours') < ${limit}",
    after: "interval '24 hours') <= ${limit}",
    guards: ['test/e2e/messages.spec.ts'],
  },
  {
    file: 'src/notifications/inbound/denials.ts',
    before: 'words.every((word) => own.has(word))',
    after: 'words.some((word) => own.has(word))',
    guards: ['src/notifications/inbound/denials.spec.ts'],
  },
  {
    file: 'src/confirmations/confirmations.queries.ts',
    before: 'coalesce(t.secuencia, 0) >= coalesce(g.telefono_secuencia, 0)',
    after: 'coalesce(t.secuencia, 0) >= 0',
    guards: ['test/e2e/edit-guia-phone.spec.ts'],
  },

  // Webhooks.
  {
    file: 'src/webhooks/endpoints/webhooks.service.ts',
    before: 'isUuid(id) ? await this.webhooks.findOneBy(where) : null',
    after: 'isUuid(id) ? await this.webhooks.findOneBy({ id, eliminado_en: where.eliminado_en }) : null',
    guards: ['test/e2e/isolation.spec.ts', 'test/e2e/operator-webhooks.spec.ts'],
  },
  {
    file: 'src/webhooks/deliveries/deliveries.queries.ts',
    before: 'where w.id = d.webhook_id and w.url = d.url and',
    after: 'where w.id = d.webhook_id and',
    guards: ['test/e2e/webhooks-retries.spec.ts'],
  },

  // Money.
  {
    file: 'src/cobros/liquidaciones.queries.ts',
    before: 'and cobrado_en <= ${until}`',
    after: 'and cobrado_en < ${until}`',
    guards: ['test/e2e/liquidaciones.spec.ts'],
  },
  {
    file: 'src/pilotos/caja/caja.queries.ts',
    before: '= ${isTest} and moneda = ${moneda} and entrega_id is null',
    after: '= ${isTest} and ${moneda}::text is not null and entrega_id is null',
    guards: ['test/e2e/caja.spec.ts'],
  },

  // Drivers.
  {
    file: 'src/web/ruta/ruta.queries.ts',
    before: 'where enlace_hash = $1 and enlace_vence_en > clock_timestamp()',
    after: 'where enlace_hash = $1',
    guards: ['test/e2e/ruta.spec.ts'],
  },
  {
    file: 'src/web/ruta/ruta.queries.ts',
    before: 'clave_lugar(g.municipio), g.guia`',
    after: 'clave_lugar(g.departamento), g.guia`',
    guards: ['test/e2e/ruta.spec.ts'],
  },

  // The console and the panel.
  {
    file: 'src/web/console/admin-access.ts',
    before: 'if (mayAct(user, need)) return;',
    after: `if (mayAct(user, 'lectura')) return;`,
    guards: ['test/e2e/console-guia.spec.ts'],
  },
  {
    file: 'src/web/panel/session/sessions.service.ts',
    before: 'await this.limits.count(credential, reply)',
    after: 'void reply',
    guards: ['test/e2e/rate-limit.spec.ts'],
  },
  {
    file: 'src/web/panel/importar/order-charge.ts',
    before: 'return rest <= 0 &&',
    after: 'return rest < 0 &&',
    guards: ['src/web/panel/importar/order-charge.spec.ts'],
  },

  // Below all of them.
  {
    file: 'src/platform/database/coalescer.ts',
    before: 'this.inFlight < this.options.concurrency',
    after: 'this.inFlight <= this.options.concurrency',
    guards: ['src/platform/database/coalescer.spec.ts'],
  },
  {
    file: 'src/platform/queues/sweeps.service.ts',
    before: 'this.running ??= this.once()',
    after: 'this.running = this.once()',
    guards: ['src/platform/queues/sweeps.service.spec.ts'],
  },
  {
    file: 'src/platform/retention/retention.queries.ts',
    before: 'and not (${where}) limit 1',
    after: 'and (${where}) limit 1',
    guards: ['test/integration/partitions.spec.ts', 'test/integration/retention.spec.ts'],
  },
  {
    file: 'src/platform/http/csv-answer.ts',
    before: raw`FORMULA = /^[;\s]*[=+\-@\uff1d`,
    after: raw`FORMULA = /^[;\s]*[=+\-\uff1d`,
    guards: ['src/platform/http/csv-answer.spec.ts'],
  },
  {
    file: 'src/etiquetas/text-fit.ts',
    before: 'space + wordWidth <= room',
    after: 'space + wordWidth < room',
    guards: ['src/etiquetas/text-fit.spec.ts'],
  },
  {
    file: 'src/locations/plausibility.ts',
    before: 'lat > north + MARGIN',
    after: 'lat > north - MARGIN',
    guards: ['src/locations/plausibility.spec.ts'],
  },
  {
    file: 'src/platform/validation/instant.ts',
    before: 'toInstant(midnight + DAY_MS) - 1',
    after: 'toInstant(midnight + DAY_MS)',
    guards: ['src/platform/validation/instant.spec.ts'],
  },
];
