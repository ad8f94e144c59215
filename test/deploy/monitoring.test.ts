import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { Client } from '../client.ts';
import { world } from '../world.ts';

const ROOT = join(import.meta.dirname, '../..');
const TOKEN = 'a-token-for-Prometheus-alone';
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  annotations: Record<string, string>;
}

const groups: { rules: Rule[] }[] = parse(read('deploy/monitoring/alerts.yml')).groups;
const rules = groups.flatMap((group) => group.rules);

interface Panel {
  title: string;
  targets: { expr: string; legendFormat: string }[];
}

const panels: Panel[] = JSON.parse(read('deploy/monitoring/dashboard.json')).panels;
const targets = panels.flatMap((panel) => panel.targets);

/** Labels that Prometheus adds to every metric. */
const ADDED = ['job', 'instance'];

/** The metrics of an expression, each with the labels that it is selected by. */
function selectorsOf(expr: string): { name: string; labels: string[] }[] {
  return [...expr.matchAll(/\b((?:stemma|process|nodejs)_\w+|up\b)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', labels = '']) => ({
      name,
      labels: [...labels.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label),
    }),
  );
}

const groupedBy = (expr: string) =>
  [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(',').map((label) => label.trim()));

const shownIn = (text: string) =>
  [...text.matchAll(/\{\{ ?(?:\$labels\.)?(\w+) ?\}\}/g)].map(([, label = '']) => label);

/** The name of a metric, which is that of its histogram for the series of one. */
const metricOf = (series: string) => series.replace(/_(?:bucket|sum|count)$/, '');

const metricsOf = (expr: string) => selectorsOf(expr).map(({ name }) => metricOf(name));

/** The labels of each metric of a service that has had requests, statements and heavy work. */
async function exported(): Promise<Map<string, Set<string>>> {
  const { url, admin, organizationId, app } = await world({
    METRICS_TOKEN: TOKEN,
    DATABASE_URL: 'postgresql://127.0.0.1/that-the-world-has',
    DATABASE_REPLICA_URLS: 'postgresql://127.0.0.1:1/nothing-is-there',
  });
  await admin.graphql('{ viewer { id } }');
  app.services.metrics.job('a-queue', true, 1);
  const { heavyWork, heldBytes } = app.services.metrics;
  heavyWork.waiting('a-kind', 1);
  heavyWork.began('a-kind', 1);
  heavyWork.ended('a-kind', 1);
  heavyWork.cancelled('a-kind');
  heavyWork.refused('a-kind');
  heldBytes.refused('bodies');
  vi.spyOn(app.services.replicas, 'views').mockReturnValue([{ name: 'a-replica', isInUse: true, lagMs: 1 }]);
  await app.services.jobs.boss.send('remove-deleted-spaces', {}, { startAfter: 3_600 });
  const consumer = { name: 'a-reader', transactionId: '3', eventId: '' };
  await app.services.db.insertInto('event_consumer').values(consumer).execute();
  await admin.mutate('createSpace', { organizationId, title: 'New' }, 'space { id }');
  const { body } = await new Client(url, TOKEN).get('/metrics');
  const metrics = new Map([['up', new Set(ADDED)]]);
  for (const [, name = '', labels = ''] of String(body).matchAll(/^(\w+)(?:\{([^\n]*)\})? \S+$/gm)) {
    const known = metrics.get(name) ?? new Set(ADDED);
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
    metrics.set(name, known);
  }
  return metrics;
}

const metrics = await exported();

test('alerts and panels use metrics and labels that the service exports', async () => {
  const faults = [...rules, ...targets].flatMap((each) => {
    const { expr } = each;
    const shown = 'alert' in each ? Object.values(each.annotations).join(' ') : each.legendFormat;
    const selectors = selectorsOf(expr);
    expect([expr, selectors.length > 0]).toEqual([expr, true]);
    const labels = groupedBy(expr);
    const unknown = selectors.flatMap(({ name, labels: selected }) => {
      const own = metrics.get(name);
      if (!own) return [`${name} is not exported`];
      return [...selected, ...labels].filter((label) => !own.has(label)).map((label) => `${name} has no ${label}`);
    });
    const lost = shownIn(shown).filter((label) => !labels.includes(label) && groupedBy(expr).length > 0);
    return [...unknown, ...lost.map((label) => `${expr} does not keep ${label}`)];
  });
  expect(faults).toEqual([]);
  expect(rules.length).toBeGreaterThan(10);
  expect(panels.length).toBeGreaterThan(10);
});

test('each metric of an alert, and each of the service itself, is on a panel', async () => {
  const shown = new Set(targets.flatMap(({ expr }) => metricsOf(expr)));
  const lacking = (metrics: Iterable<string>) => [...new Set(metrics)].filter((name) => !shown.has(name));
  expect(lacking(rules.flatMap(({ expr }) => metricsOf(expr)))).toEqual([]);
  const own = [...metrics.keys()].filter((name) => name.startsWith('stemma_')).map(metricOf);
  expect(own.length).toBeGreaterThan(20);
  expect(lacking(own)).toEqual([]);
});

test('the runbook has a section for each alert, and no other', () => {
  const sections = read('docs/runbook.md').split(/^## /m).slice(1);
  expect(sections.map((section) => section.split('\n')[0])).toEqual(rules.map(({ alert }) => alert));
  for (const section of sections) {
    const parts = [...section.matchAll(/^\*\*(\w+)\.\*\* (?=\S)/gm)].map(([, name]) => name);
    expect([section.split('\n')[0], parts]).toEqual([section.split('\n')[0], ['Meaning', 'Look', 'Act']]);
  }
  for (const [, title = ''] of read('docs/runbook.md').matchAll(/panels? "([^"]+)"/g)) {
    expect(panels.map((panel) => panel.title.replace(/ \(.*/, ''))).toContain(title.replace(/ \(.*/, ''));
  }
});

test.skipIf(spawnSync('promtool', ['--version']).status !== 0)('promtool accepts the rules', () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', 'deploy/monitoring/alerts.yml'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
});
