import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Notes } from './notice-stalls.ts';

/*
 * Names what held the event loop during an attack with `PROFILE=<directory>`:
 *
 *   PROFILE=/tmp/profile MINUTES=3 node test/faults/under-attack.ts
 *   node test/faults/name-stalls.ts /tmp/profile
 */

interface Profile {
  nodes: { id: number; callFrame: Frame; children?: number[] }[];
  startTime: number;
  endTime: number;
  samples: number[];
  timeDeltas: number[];
}

interface Frame {
  functionName: string;
  url: string;
  lineNumber: number;
}

const [directory = ''] = process.argv.slice(2);
const MOST = Number(process.argv[3] ?? 25);
const notes = JSON.parse(await readFile(join(directory, 'notes.json'), 'utf8')) as Notes;
const profile = await profileOfServer();
const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
const parents = new Map(
  profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
);

/** Threads have profiles of their own; that of the server has run for longest. */
async function profileOfServer(): Promise<Profile> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.cpuprofile'));
  const profiles = await Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(directory, name), 'utf8')) as Profile),
  );
  const [longest] = profiles.toSorted((a, b) => b.endTime - b.startTime - (a.endTime - a.startTime));
  if (!longest) throw new Error(`${directory} has no profile.`);
  return longest;
}

const nameOf = ({ functionName, url, lineNumber }: Frame) =>
  `${functionName || '(anonymous)'}${url === '' ? '' : ` ${url.replace(/^.*?\/(src|node_modules)\//, '$1/')}:${lineNumber + 1}`}`;

function stackOf(id: number): string[] {
  const stack: string[] = [];
  for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
    const node = nodes.get(at);
    if (node && node.callFrame.functionName !== '(root)') stack.push(nameOf(node.callFrame));
  }
  return stack;
}

/** Microseconds. Samples are taken each millisecond. */
const LONGEST_SAMPLE = 4_000;

interface Spent {
  self: Map<string, number>;
  stacks: Map<string, number>;
}

function spentIn(from: number, to: number): Spent {
  const spent: Spent = { self: new Map(), stacks: new Map() };
  let at = profile.startTime;
  for (const [index, id] of profile.samples.entries()) {
    // Longer gaps are those of a thread that waits for a processor.
    const lasted = Math.min(profile.timeDeltas[index + 1] ?? 0, LONGEST_SAMPLE);
    at += profile.timeDeltas[index] ?? 0;
    if (at < from || at > to) continue;
    const [own = '', ...callers] = stackOf(id);
    add(spent.self, own, lasted);
    add(spent.stacks, [own, ...callers].slice(0, 14).join('\n      '), lasted);
  }
  return spent;
}

const add = (sums: Map<string, number>, key: string, value: number) => sums.set(key, (sums.get(key) ?? 0) + value);

const most = (sums: Map<string, number>, count: number) => [...sums].toSorted((a, b) => b[1] - a[1]).slice(0, count);

const ms = (microseconds: number) => `${(microseconds / 1_000).toFixed(0)} ms`;

console.log(`${notes.stalls.length} stalls`);
const STARTING = 15e6;
const later = notes.stalls.filter(({ from }) => from - profile.startTime > STARTING);
for (const { from, to, cpu } of later.toSorted((a, b) => b.cpu - a.cpu).slice(0, MOST)) {
  const { self, stacks } = spentIn(from, to);
  const collected = notes.collections.filter((each) => each.from >= from && each.from <= to);
  const garbage = collected.reduce((sum, each) => sum + each.ms, 0);
  console.log(
    `\n${ms(cpu)} of the processor, ${ms(to - from)} at ${((from - profile.startTime) / 1e6).toFixed(1)} s, garbage ${garbage.toFixed(0)} ms`,
  );
  for (const [name, spent] of most(self, 5)) console.log(`  ${ms(spent)} ${name}`);
  for (const [stack, spent] of most(stacks, 1)) console.log(`  longest stack, ${ms(spent)}:\n      ${stack}`);
}

const { self } = spentIn(profile.startTime, profile.endTime);
console.log('\nOwn time over all');
for (const [name, spent] of most(self, 30)) console.log(`  ${ms(spent)} ${name}`);
console.log('\nMemory at its highest (MB)');
for (const { at, rss, heapUsed, heapTotal, external, spaces } of notes.memory
  .toSorted((a, b) => b.rss - a.rss)
  .slice(0, 5)) {
  const sizes = [rss, heapUsed, heapTotal, external].map((bytes) => Math.round(bytes / 1e6)).join(' / ');
  console.log(
    `  ${((at - profile.startTime) / 1e6).toFixed(0)} s: resident / heap used / heap / external ${sizes}; ${spaces}`,
  );
}
