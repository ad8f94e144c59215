import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { API } from 'typescript/unstable/sync';
import { afterAll, expect, test, vi } from 'vitest';
import { findEmitterFaults } from './emitters.ts';
import { findPromiseFaults, type Rule } from './promises.ts';

// The compiler checks the types of all sources.
vi.setConfig({ testTimeout: 300_000 });

const root = join(import.meta.dirname, '..', '..');
const planted = mkdtempSync(join(tmpdir(), 'stemma-planted-'));
const api = new API({ cwd: root });
afterAll(() => {
  api.close();
  rmSync(planted, { recursive: true, force: true });
});

const PREAMBLE = `
  declare function read(): Promise<number>;
  declare function maybe(): number | Promise<number>;
  declare function use(value: unknown): void;
  declare function markHandled<Made extends Promise<unknown>>(promise: Made): Made;
  declare const map: Map<string, Promise<number>>;
  declare class Emitter { on(name: string, act: () => void): void }
`;

/** What must be found, by the rule that finds it. */
const FAULTS: Record<Rule, string[]> = {
  kept: [
    'export async function f() { const one = read(); await read(); return one; }',
    'export async function f() { const one = read(); const two = read(); await one; await two; }',
    'export async function f() { const one = read(); return use(() => one); }',
    'export function f() { const one = maybe(); return read().then(() => one); }',
    'export async function f() { const many = [1, 2].map(() => read()); for (const each of many) await each; }',
    'export async function f(one: Promise<number>) { await read(); return one; }',
    'export async function* f() { const one = read(); yield 1; await one; }',
    'export async function f() { let one = read(); for (;;) { await one; await read(); one = read(); await read(); } }',
    'export class F { one?: Promise<number>; f() { this.one ??= read(); } }',
    'export async function f() { const [one, two] = [read(), read()]; await two; return one; }',
    'export async function f(isGood: boolean) { const one = isGood ? read() : undefined; await read(); return one; }',
  ],
  beside: [
    'export async function f() { return Promise.all([read(), await read()]); }',
    'export async function f() { use([read(), use(await read())]); }',
    'export async function f() { return { one: read(), two: await read() }; }',
  ],
  collected: [
    `export function f() { map.set('one', read()); }`,
    'export async function f() { const all: Promise<number>[] = []; all.push(read()); await read(); await Promise.all(all); }',
    'export function f() { return { one: read() }; }',
  ],
  floating: [
    'export function f() { read(); }',
    'export function f() { void read(); }',
    'export function f() { read().then(() => use(1)); }',
    'export function f() { setTimeout(async () => use(await read()), 1); }',
    `export function f(emitter: Emitter) { emitter.on('open', () => read()); }`,
  ],
};

const GOOD = [
  'export async function f() { const one = read(); const two = read(); return Promise.all([one, two]); }',
  'export async function f() { const one = read(); one.catch(() => {}); await read(); return one; }',
  'export async function f() { const one = markHandled(read()); await read(); return one; }',
  'export async function f() { const one = await read(); await read(); return one; }',
  'export async function f() { let one = read(); for (;;) { use(await Promise.race([one])); one = read(); } }',
  'export async function f() { const all: Promise<number>[] = []; all.push(read()); return Promise.all(all); }',
  'export async function f() { const one = read(); map.set("one", one); return await one; }',
  'export function f() { read().catch(() => {}); }',
  'export class F { one?: Promise<number>; async f() { this.one ??= read(); return await this.one; } }',
];

const EMITTER_FAULTS = [
  `import { spawn } from 'node:child_process'; export const f = () => spawn('true');`,
  `import { createReadStream } from 'node:fs'; export const f = () => { const bytes = createReadStream('f'); return bytes; };`,
  `import { connect } from 'node:net'; export function f() { connect(1).once('error', () => {}); }`,
  `export const f = (one: NodeJS.ReadableStream, two: NodeJS.WritableStream) => one.pipe(two);`,
];

const GOOD_EMITTERS = [
  `import { createReadStream } from 'node:fs'; export const f = (to: never) => pipeline(createReadStream('f'), to); declare const pipeline: (...streams: never[]) => void;`,
  `import { connect } from 'node:net'; export function f() { const socket = connect(1); socket.on('error', () => {}); }`,
];

/** Writes samples to a project of their own, and returns the path of each. */
function plant(samples: readonly string[]): string[] {
  writeFileSync(
    join(planted, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { target: 'esnext', lib: ['esnext', 'dom'], module: 'esnext', strict: true, types: [] },
      include: ['*.ts'],
    }),
  );
  return samples.map((sample, index) => {
    const path = join(planted, `sample-${index}.ts`);
    writeFileSync(path, `${sample}\n${PREAMBLE}`);
    return path;
  });
}

function projectOf(directory: string) {
  const config = join(directory, 'tsconfig.json');
  const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
  if (!project) throw new Error(`The compiler does not open ${config}.`);
  return project;
}

test('the rules find planted faults, and nothing in code that handles its promises and emitters', () => {
  const expected = Object.entries(FAULTS).flatMap(([rule, samples]) => samples.map((sample) => [sample, rule]));
  const paths = plant([...expected.map(([sample = '']) => sample), ...GOOD, ...EMITTER_FAULTS, ...GOOD_EMITTERS]);
  const project = projectOf(planted);
  const promises = (path: string) => [...new Set(findPromiseFaults(project, [path], planted).map(({ rule }) => rule))];
  const found = expected.map(([sample], index) => [sample, promises(paths[index] ?? '')]);
  expect(found).toEqual(expected.map(([sample, rule]) => [sample, expect.arrayContaining([rule])]));
  const good = paths.slice(expected.length, expected.length + GOOD.length);
  expect(good.map(promises)).toEqual(GOOD.map(() => []));
  const emitters = paths
    .slice(expected.length + GOOD.length)
    .map((path) => findEmitterFaults(project, [path], planted).length);
  expect(emitters).toEqual([...EMITTER_FAULTS.map(() => 1), ...GOOD_EMITTERS.map(() => 0)]);
});

test('every promise of the sources has a handler before something else is awaited, and every emitter one for errors', () => {
  // Without tests, which take longer to check than what they test.
  const config = { extends: join(root, 'tsconfig.json'), include: [join(root, 'src')] };
  const compilerOptions = { typeRoots: [join(root, 'node_modules', '@types')] };
  const directory = mkdtempSync(join(planted, 'sources-'));
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ ...config, compilerOptions }));
  const project = projectOf(directory);
  const files = project.program.getSourceFileNames().filter((path) => path.startsWith(join(root, 'src')));
  expect(files.length).toBeGreaterThan(1_000);
  const shown = ({ file, line, text }: { file: string; line: number; text: string }) => `${file}:${line}: ${text}`;
  expect(findPromiseFaults(project, files, root).map(shown)).toEqual([]);
  expect(findEmitterFaults(project, files, root).map(shown)).toEqual([]);
});
