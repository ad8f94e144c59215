import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The programs, and the command that starts each. */
const PROGRAMS = [
  ['main', 'npm start'],
  ['worker', 'npm run worker'],
  ['doctor', 'npm run doctor'],
  ['backup', 'npm run backup -- FILE'],
  ['restore', 'npm run restore -- FILE'],
  ['confirm-email', 'npm run confirm-email -- --email ADDRESS'],
  ['rotate-key', 'npm run rotate-key'],
  ['token', 'npm run token -- --email ADDRESS'],
  ['documents', 'npm run documents -- FOLDER'],
  ['migrate', 'npm run migrate'],
  ['upgrade-check', 'npm run upgrade:check'],
] as const;

const HEAP_LIMITS = '--max-old-space-size=1536 --max-semi-space-size=64 ';

test('every program has a command, which builds the bundle first', () => {
  const programs = readdirSync('src/programs').map((file) => file.replace('.ts', ''));
  expect(programs.sort()).toEqual(PROGRAMS.map(([name]) => name).sort());
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const [name, command] of PROGRAMS) {
    const [script = ''] = command.replace(/^npm (run )?/, '').split(' ');
    expect(scripts[script].replace(HEAP_LIMITS, '')).toBe(`node run.mjs dist/${name}.mjs`);
    expect(scripts[`pre${script}`]).toBe('node run.mjs build.mjs');
  }
});

test('workers of the examples in deploy/ run with the same limits of the heap', () => {
  for (const file of ['deploy/three-servers/compose.yaml', 'deploy/kubernetes/base/worker.yaml']) {
    // A list in one line, or with an item in each.
    const words = readFileSync(file, 'utf8').replaceAll(/[\s,[\]]+(- )?/g, ' ');
    expect(words).toContain(` node ${HEAP_LIMITS}dist/worker.mjs `);
  }
});
