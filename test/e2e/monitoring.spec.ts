import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import { QUEUE_NAMES } from '../../src/web/console/texts.js';
import { eventually } from '../support/eventually.js';
import { unlessMissing } from '../support/skipping.js';
import { guiaBody } from '../support/test-app.js';
import { useTestApp } from '../support/use.js';

const FOLDER = join(import.meta.dirname, '../../docs/operations');
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  annotations: { runbook_url: string };
}

const { groups } = load(read('alerts.yml'), { schema: CORE_SCHEMA }) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const panels = (
  JSON.parse(read('grafana.json')) as { panels: { title: string; targets: { expr: string }[] }[] }
).panels;

/** Names of metrics in an expression: what stands before a `{`. */
const metricsIn = (expr: string) => [...expr.matchAll(/(\w+)\{/g)].map(([, name]) => name!);

describe('what the alerts and the dashboard show', () => {
  // Of its own: metrics count all merchants, and a worker sends.
  const test = useTestApp({ env: { ROLE: 'all' } });
  let text: string;

  beforeAll(async () => {
    const merchant = await test.merchant();
    for (let n = 0; n < 2; n++) await merchant.post('/api/v1/guias', guiaBody({ external_ref: 'una' }));
    await eventually(async () => {
      text = (await test.request('/metrics')).text;
      expect(text).toContain('messages_total{provider="sandbox",result="sent"} 1');
    });
  });

  it.each([
    ...rules.map(({ alert, expr }) => [alert, expr]),
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr])),
  ])('is measured: %s (%s)', (_, expr) => {
    const names = metricsIn(expr).filter((name) => name !== 'up');
    expect(names.length + Number(expr.startsWith('up{'))).toBeGreaterThan(0);
    expect(
      names.filter((name) => !new RegExp(`^# TYPE ${name.replace(/_(count|bucket)$/, '')} `, 'm').test(text)),
    ).toEqual([]);
  });

  it.each(rules)('$alert has a section in the runbook', ({ alert, annotations }) => {
    expect(read('runbook.md')).toContain(`\n## ${alert}\n`);
    expect(annotations.runbook_url).toBe(`docs/operations/runbook.md#${alert.toLowerCase()}`);
  });

  it('the runbook explains no alert that does not exist', () => {
    const explained = [...read('runbook.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    expect(explained).toEqual(rules.map(({ alert }) => alert));
  });

  it('has as many queues as queues/pool-sizes.ts counts', () => {
    const queues = [...text.matchAll(/^queue_jobs\{queue="(\w[^"]*)"/gm)].map(([, queue]) => queue);
    expect(new Set(queues).size).toBe(Object.keys(QUEUE_NAMES).length);
  });

  it('tells until when messages and webhooks have their months', () => {
    const [, until] = /^partitions_until_timestamp_seconds (\S+)$/m.exec(text)!;
    expect(Number(until) - Date.now() / 1_000).toBeGreaterThan(6 * 86_400);
    expect(Number(until) - Date.now() / 1_000).toBeLessThan(100 * 86_400);
  });

  it('counts a repeated create and few series', () => {
    expect(text).toMatch(
      /http_request_duration_seconds_count\{method="POST",route="\/api\/v1\/guias",status="200"\} 1/,
    );
    expect(text.split('\n').filter((line) => /^\w/.test(line)).length).toBeLessThan(2_000);
  });
});

const hasPromtool = spawnSync('promtool', ['--version']).error === undefined;

unlessMissing(it, hasPromtool ? undefined : 'no promtool')('Prometheus takes the alert rules', () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', join(FOLDER, 'alerts.yml')], {
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`${groups.flatMap(({ rules }) => rules).length} rules found`),
  });
});
