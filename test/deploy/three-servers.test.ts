import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/config.ts';
import { settings } from '../../src/settings.ts';
import { imageOf } from './image.ts';

const FOLDER = join(import.meta.dirname, '../../deploy/three-servers');
const text = readFileSync(join(FOLDER, 'compose.yaml'), 'utf8');
const nginx = readFileSync(join(FOLDER, 'nginx.conf'), 'utf8');

interface Service {
  image?: string;
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  volumes?: string[];
  ports?: string[];
  mem_limit?: string;
  read_only?: boolean;
  stop_grace_period?: string;
  healthcheck?: { disable?: boolean };
}

interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, null>;
}

const { services, volumes } = parse(text, { merge: true }) as Compose; // checked below
const SERVERS = ['server-1', 'server-2', 'server-3'];

/** Replaces the variables of Compose, each of which has a default or an error. */
const withValues = (value: string) =>
  value.replaceAll(/\$\{([A-Z_]+):([-?])([^}]*)\}/g, (_, name: string, kind: string, rest: string) =>
    kind === '-' ? rest : name === 'BOOTSTRAP_TOKEN' ? `stemma_${'a'.repeat(20)}` : 'b'.repeat(64),
  );

test('Compose starts three servers and a worker with the same valid settings', () => {
  expect(Object.keys(services).sort()).toEqual(
    [...SERVERS, 'bucket', 'database', 'make-bucket', 'proxy', 'worker'].sort(),
  );
  const known = new Set([...Object.keys(settings.shape), 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']);
  const environment = services['server-1']?.environment ?? {};
  expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
  for (const name of [...SERVERS, 'worker']) expect(services[name]?.environment).toEqual(environment);
  const given = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, withValues(value)]));
  const config = readConfig({ ...imageOf().environment, ...given });
  expect(config).toMatchObject({ isProduction: true, workers: false, trustProxy: 1, storage: { kind: 's3' } });
  expect(new URL(config.databaseUrl ?? '').hostname in services).toBe(true);
  if (config.storage.kind === 's3') expect(new URL(config.storage.endpoint ?? '').hostname in services).toBe(true);
  // Of 100 in PostgreSQL, three are reserved. See docs/kubernetes.md for those besides the pool.
  expect(3 * (config.databasePool + 4) + config.databasePool + 6).toBe(58);
  expect(text).toContain('have 58 connections');
});

test('containers of Compose fit the image', () => {
  expect(services.worker?.command).toEqual(imageOf().command.map((word) => word.replace('main', 'worker')));
  for (const name of [...SERVERS, 'worker']) {
    const {
      read_only: isReadOnly,
      volumes: written,
      mem_limit: memory,
      stop_grace_period: grace,
    } = services[name] ?? {};
    // Each container has its own, on disk: in memory, files would count as memory of the container.
    expect([isReadOnly, written]).toEqual([true, [imageOf().volume, '/tmp']]);
    expect(Number.parseInt(memory ?? '', 10)).toBeGreaterThanOrEqual(4);
    expect(Number.parseInt(grace ?? '', 10)).toBeGreaterThanOrEqual(20);
  }
  expect(services.worker?.healthcheck?.disable).toBe(true);
  for (const { depends_on: needed = {} } of Object.values(services)) {
    const names = Array.isArray(needed) ? needed : Object.keys(needed);
    expect(names.filter((name) => !(name in services))).toEqual([]);
  }
  const mounted = Object.values(services)
    .flatMap((each) => each.volumes ?? [])
    .map((volume) => volume.split(':')[0]);
  expect(mounted.filter((name) => !/^\.?\//.test(name ?? '')).sort()).toEqual(Object.keys(volumes).sort());
});

test('nginx passes requests to the servers of Compose, on the port of the image', () => {
  const upstreams = [...nginx.matchAll(/^upstream (\w+) \{\n(.*?)^\}/gms)];
  // PDFs have one of their own, which sends all requests for a PDF to the same server.
  expect(upstreams.map(([, name, text = '']) => [name, /hash \S+/.exec(text)?.[0]])).toEqual([
    ['stemma', undefined],
    ['stemma_pdf', 'hash $uri'],
  ]);
  for (const [, , text = ''] of upstreams) {
    const addresses = [...text.matchAll(/^ +server (\S+):(\d+) /gm)].map(([, name, port]) => [name, Number(port)]);
    expect(addresses).toEqual(SERVERS.map((name) => [name, imageOf().port]));
  }
  expect(nginx).toMatch(/location \/pdf\/ \{\s+proxy_pass http:\/\/stemma_pdf;/);
  expect(services.proxy?.volumes).toEqual(['./nginx.conf:/etc/nginx/conf.d/default.conf:ro']);
  const [listens = ''] = /(?<=listen )\d+/.exec(nginx) ?? [];
  expect(services.proxy?.ports?.map((port) => port.split(':').at(-1))).toEqual([listens]);
  expect(Object.keys(services.proxy?.depends_on ?? {})).toEqual(SERVERS);
});
