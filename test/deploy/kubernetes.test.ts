import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config.ts';
import { settings } from '../../src/settings.ts';
import { world } from '../world.ts';
import { imageOf } from './image.ts';

const ROOT = join(import.meta.dirname, '../..');
const MANIFESTS = join(ROOT, 'deploy/kubernetes');

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
if (!hasKubectl) console.info('Skipped: manifests for Kubernetes, because kubectl is not installed here.');

/** Variables of the manifests that other software reads. */
const FOREIGN = new Set(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'NODE_COMPILE_CACHE']);

/** Seconds that the service needs after SHUTDOWN_DELAY_MS, see docs/operation.md, Health. */
const STOP_SECONDS = 15;

/** Connections of a process besides its pool, see docs/kubernetes.md. */
const BESIDE_POOL = { server: 4, worker: 6, migrate: 4 };

interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds: number;
  failureThreshold: number;
}

interface Container {
  image: string;
  args?: string[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  env?: { name: string }[];
  ports?: { name: string; containerPort: number }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: Record<string, unknown>;
  volumeMounts: { name: string; mountPath: string }[];
}

interface PodSpec {
  securityContext: Record<string, unknown>;
  terminationGracePeriodSeconds?: number;
  containers: [Container];
  volumes: { name: string; emptyDir: { sizeLimit: string; medium?: string } }[];
  automountServiceAccountToken: boolean;
}

interface Pods {
  kind: string;
  metadata: { name: string };
  spec: {
    replicas?: number;
    selector?: { matchLabels: Record<string, string> };
    strategy?: { rollingUpdate: { maxSurge: number; maxUnavailable: number } };
    template: { metadata: { labels: Record<string, string> }; spec: PodSpec };
  };
}

/** A manifest, whose content depends on its kind. */
interface Manifest {
  kind: string;
  metadata: { name: string; namespace?: string };
  // biome-ignore lint/suspicious/noExplicitAny: the tests read what each kind has
  spec: any;
  data?: Record<string, string>;
}

function render(folder: string, root = MANIFESTS): Manifest[] {
  const text = execFileSync('kubectl', ['kustomize', join(root, folder)], { encoding: 'utf8' });
  return parseAllDocuments(text).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });
}

/** Renders a copy of the example to which an installation has added a file. */
function renderWith(file: string): Manifest[] {
  const root = mkdtempSync(join(tmpdir(), 'stemma-manifests-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  cpSync(MANIFESTS, root, { recursive: true });
  const overlay = join(root, 'example/kustomization.yaml');
  writeFileSync(overlay, readFileSync(overlay, 'utf8').replace('  - ingress.yaml\n', `$&  - ${file}\n`));
  return render('example', root);
}

describe.skipIf(!hasKubectl)('the manifests for Kubernetes', () => {
  const manifests = hasKubectl ? render('example') : [];
  const ofKind = (kind: string) => manifests.filter((each) => each.kind === kind);
  const named = (kind: string, name: string): Manifest =>
    ofKind(kind).find(({ metadata }) => metadata.name === name) ?? expect.fail(`There is no ${kind} ${name}.`);
  const podsOf = (manifest: Manifest) => manifest as unknown as Pods; // a Deployment or Job
  const workloads = hasKubectl ? ['Deployment', 'Job'].flatMap((kind) => ofKind(kind).map(podsOf)) : [];
  const componentOf = ({ spec }: Pods) => spec.template.metadata.labels['app.kubernetes.io/component'] ?? '';
  const workload = (component: string): Pods =>
    workloads.find((each) => componentOf(each) === component) ?? expect.fail(`There is no ${component}.`);
  const podOf = (component: string) => workload(component).spec.template.spec;
  const configMap = () => ofKind('ConfigMap')[0]?.data ?? {};
  const secret = () => parseEnv(readFileSync(join(MANIFESTS, 'example/secret.env.example'), 'utf8'));
  const optionalSecrets = () =>
    parseEnv(readFileSync(join(MANIFESTS, 'example/secret.env.example'), 'utf8').replaceAll(/^#(?=[A-Z_]+=)/gm, ''));

  test('have the kinds that an installation needs, in one namespace', () => {
    expect(
      manifests.map(({ kind, metadata }) => `${kind} ${metadata.name.replace(/-[a-z0-9]{10}$/, '')}`).sort(),
    ).toEqual([
      'ConfigMap stemma',
      'Deployment stemma-server',
      'Deployment stemma-worker',
      'HorizontalPodAutoscaler stemma-server',
      'Ingress stemma',
      'Ingress stemma-pdf',
      'Job stemma-migrate',
      'NetworkPolicy stemma-egress',
      'NetworkPolicy stemma-ingress',
      'NetworkPolicy stemma-no-ingress',
      'PodDisruptionBudget stemma-server',
      'PodDisruptionBudget stemma-worker',
      'Service stemma',
    ]);
    expect(new Set(manifests.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['stemma']));
    expect(render('base').length).toBe(manifests.length - 2);
  });

  test('set variables that exist, from the ConfigMap and an existing Secret, and they are a valid configuration', () => {
    const known = new Set([...Object.keys(settings.shape), ...FOREIGN]);
    const names = [...Object.keys(configMap()), ...Object.keys(optionalSecrets())];
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    for (const { spec } of workloads) {
      const [container] = spec.template.spec.containers;
      expect(container.env).toBeUndefined();
      expect(container.envFrom.map(({ configMapRef, secretRef }) => configMapRef?.name ?? secretRef?.name)).toEqual([
        ofKind('ConfigMap')[0]?.metadata.name,
        'stemma',
      ]);
    }
    expect(ofKind('Secret')).toEqual([]);
    expect(Object.keys(secret()).sort()).toEqual(['BOOTSTRAP_TOKEN', 'DATABASE_URL', 'METRICS_TOKEN', 'SECRET_KEY']);
    const given = { ...imageOf().environment, ...secret(), ...configMap(), SECRET_KEY: 'a'.repeat(64) };
    expect(readConfig(given)).toMatchObject({ isProduction: true, workers: false, storage: { kind: 's3' } });
    const all = { ...optionalSecrets(), ...given, SECRET_KEY_PREVIOUS: 'b'.repeat(64) };
    expect(readConfig(all).databaseDirectUrl).toBeDefined();
  });

  test('run the programs of the image, as its user, on a read-only file system', () => {
    const image = imageOf();
    const words = (component: string) => podOf(component).containers[0].args;
    expect(words('server')).toBeUndefined();
    expect(words('worker')).toEqual(image.command.map((word) => word.replace('main', 'worker')));
    expect(words('migrate')).toEqual(['node', 'dist/migrate.mjs']);
    for (const { spec } of workloads) {
      const pod = spec.template.spec;
      const [container] = pod.containers;
      expect(container.image).toBe('registry.example.com/stemma:0.2.0');
      // The user "node" of the image node.
      expect(image.user).toBe('node');
      expect(pod.securityContext).toEqual({
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 1000,
        fsGroup: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
        readOnlyRootFilesystem: true,
      });
      expect(pod.automountServiceAccountToken).toBe(false);
    }
  });

  test('make backups with the settings and rights of the service, once an installation adds them', () => {
    const { jobTemplate } = renderWith('backup.yaml').find(({ kind }) => kind === 'CronJob')?.spec ?? {};
    const { metadata, spec: pod } = jobTemplate.spec.template;
    const [container] = pod.containers;
    const migrates = podOf('migrate');
    for (const name of ['automountServiceAccountToken', 'securityContext'] as const) {
      expect(pod[name]).toEqual(migrates[name]);
    }
    for (const name of ['image', 'envFrom', 'securityContext'] as const) {
      expect(container[name]).toEqual(migrates.containers[0][name]);
    }
    expect(container.args.at(-1)).toMatch(/^exec node dist\/backup\.mjs "\/backups\//);
    const paths = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
    expect(paths).toEqual([imageOf().volume, '/tmp', '/backups']);
    // Those that the network policies select pods by.
    expect(metadata.labels).toEqual({ 'app.kubernetes.io/name': 'stemma', 'app.kubernetes.io/component': 'backup' });
  });

  test('mount directories for everything that the service writes, and limit their size', () => {
    const { DATA_DIR: dataDir = '', NODE_COMPILE_CACHE: cache = '' } = configMap();
    for (const { spec } of workloads) {
      const pod = spec.template.spec;
      const [container] = pod.containers;
      const paths = container.volumeMounts.map(({ mountPath }) => mountPath);
      expect(paths).toEqual([imageOf().volume, '/tmp']);
      // Below it: the mounted directory belongs to root, and the service refuses such a data directory.
      expect(dataDir.startsWith(`${imageOf().volume}/`)).toBe(true);
      expect(cache.startsWith('/tmp/')).toBe(true);
      expect(container.volumeMounts.map(({ name }) => name)).toEqual(pod.volumes.map(({ name }) => name));
      // In memory, files would count as memory of the container.
      expect(pod.volumes.map(({ emptyDir }) => emptyDir.medium)).toEqual([undefined, undefined]);
      const limit = container.resources.limits['ephemeral-storage'];
      const volumes = pod.volumes.reduce((sum, { emptyDir }) => sum + Number.parseInt(emptyDir.sizeLimit, 10), 0);
      if (limit !== undefined) expect(Number.parseInt(limit, 10)).toBeGreaterThan(volumes);
    }
  });

  test('select the pods that they are for, by the port of the image', () => {
    for (const { kind, spec } of workloads) {
      const { labels } = spec.template.metadata;
      if (kind === 'Deployment') expect(labels).toEqual(spec.selector?.matchLabels);
      expect(labels['app.kubernetes.io/name']).toBe('stemma');
    }
    const server = workload('server').spec.template.metadata.labels;
    const [port] = podOf('server').containers[0].ports ?? [];
    expect(port).toEqual({ name: 'http', containerPort: imageOf().port });
    expect(podOf('worker').containers[0].ports).toBeUndefined();
    const service = named('Service', 'stemma').spec;
    expect(service.selector).toEqual(server);
    expect(service.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }]);
    for (const { http } of named('Ingress', 'stemma').spec.rules) {
      expect(http.paths).toEqual([
        { path: '/', pathType: 'Prefix', backend: { service: { name: 'stemma', port: { name: 'http' } } } },
      ]);
    }
    const { PUBLIC_URL = '', SITES_URL = '' } = configMap();
    const hosts = named('Ingress', 'stemma').spec.rules.map(({ host }: { host: string }) => host);
    expect(hosts).toEqual([PUBLIC_URL, SITES_URL].map((url) => new URL(url).host));
    expect(named('Ingress', 'stemma').spec.tls[0].hosts).toEqual(hosts);
    const pdfs = named('Ingress', 'stemma-pdf').spec;
    const [{ http: all }] = named('Ingress', 'stemma').spec.rules;
    expect(pdfs.rules).toEqual([
      { host: new URL(PUBLIC_URL).host, http: { paths: [{ ...all.paths[0], path: '/pdf' }] } },
    ]);
    for (const component of ['server', 'worker']) {
      const labels = workload(component).spec.template.metadata.labels;
      expect(named('PodDisruptionBudget', `stemma-${component}`).spec.selector.matchLabels).toEqual(labels);
    }
  });

  test('let only the ingress controller and Prometheus reach the servers, and nothing the rest', () => {
    const reached = named('NetworkPolicy', 'stemma-ingress').spec;
    expect(reached.podSelector.matchLabels).toEqual(workload('server').spec.template.metadata.labels);
    expect(reached.ingress).toHaveLength(1);
    expect(reached.ingress[0].ports).toEqual([{ port: 'http', protocol: 'TCP' }]);
    expect(reached.ingress[0].from).toHaveLength(2);
    const others = named('NetworkPolicy', 'stemma-no-ingress').spec;
    expect(others.ingress).toBeUndefined();
    expect(others.policyTypes).toEqual(['Ingress']);
    const egress = named('NetworkPolicy', 'stemma-egress').spec;
    expect(egress.podSelector.matchLabels).toEqual({ 'app.kubernetes.io/name': 'stemma' });
    const anywhere = egress.egress.filter(({ to }: { to?: unknown }) => to === undefined);
    const ports = anywhere.flatMap((rule: { ports: { port: number }[] }) => rule.ports.map(({ port }) => port));
    expect([...new Set(ports)].sort((a, b) => Number(a) - Number(b))).toEqual([53, 465, 587, 5432, 6432]);
    const database = new URL(secret().DATABASE_URL ?? '');
    expect(ports).toContain(Number(database.port));
  });

  test('wait for the migrations and for running requests', () => {
    const [server] = podOf('server').containers;
    const { startupProbe, livenessProbe, readinessProbe } = server;
    const patience = (probe?: Probe) => (probe?.periodSeconds ?? 0) * (probe?.failureThreshold ?? 0);
    expect(patience(startupProbe)).toBeGreaterThanOrEqual(600);
    expect(patience(livenessProbe)).toBeGreaterThanOrEqual(60);
    // A pod that stops is taken out before it closes its port, even where only the probe tells.
    const { shutdownDelayMs } = readConfig({ ...configMap(), SECRET_KEY: 'a'.repeat(64) });
    expect(patience(readinessProbe) * 1_000).toBeLessThan(shutdownDelayMs);
    for (const component of ['server', 'worker']) {
      const { terminationGracePeriodSeconds: grace } = podOf(component);
      expect(grace).toBeGreaterThanOrEqual(shutdownDelayMs / 1_000 + STOP_SECONDS);
    }
  });

  test('open at most as many database connections as the documentation says', () => {
    const pool = Number(configMap().DATABASE_POOL);
    const { maxReplicas, minReplicas, scaleTargetRef } = named('HorizontalPodAutoscaler', 'stemma-server').spec;
    expect(scaleTargetRef.name).toBe(workload('server').metadata.name);
    expect(workload('server').spec.replicas).toBeUndefined();
    expect(minReplicas).toBeGreaterThanOrEqual(2);
    const surge = (component: string) => workload(component).spec.strategy?.rollingUpdate.maxSurge ?? 0;
    const processes = {
      server: maxReplicas + surge('server'),
      worker: (workload('worker').spec.replicas ?? 0) + surge('worker'),
      migrate: 1,
    };
    const connections = Object.entries(processes).reduce(
      (sum, [component, count]) => sum + count * (pool + BESIDE_POOL[component as keyof typeof BESIDE_POOL]),
      0,
    );
    expect(connections).toBe(160);
    const docs = readFileSync(join(ROOT, 'docs/kubernetes.md'), 'utf8');
    expect(docs).toContain(`${connections} connections`);
  });

  test('probe paths that the service answers', async () => {
    const { url, app } = await world();
    const [{ startupProbe, livenessProbe, readinessProbe }] = podOf('server').containers;
    for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
      expect(probe?.httpGet.port).toBe('http');
      expect((await fetch(`${url}${probe?.httpGet.path}`)).status).toBe(200);
    }
    const stopping = app.drain(0);
    // Only the readiness fails while the service stops, so that the pod is not killed.
    expect((await fetch(`${url}${readinessProbe?.httpGet.path}`)).status).toBe(503);
    await stopping;
  });
});
