import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventKind } from '../../src/platform/events/kinds.ts';
import { findOperations } from './operations.ts';
import { SILENT } from './silent-commands.ts';

const SRC = join(import.meta.dirname, '..', '..', 'src');

const commands = (await findOperations()).filter(({ operation }) => operation.kind === 'command');
const textOf = (file: string) => readFileSync(join(SRC, file), 'utf8');

/**
 * The functions of a file that record events: `recordEvent`, `recordEvents`, `recordAccountEvent`, and those that
 * `writeStatement` makes.
 */
const recordersIn = (text: string) => [
  ...['recordEvent', 'recordEvents', 'recordAccountEvent'].filter((name) => text.includes(`await ${name}(`)),
  ...[...text.matchAll(/^const (\w+) = writeStatement</gm)].map(([, name]) => name),
];

/** Functions beside `recordEvent` that several commands share. */
const shared = globSync('domain/**/*.ts', { cwd: SRC })
  .map(textOf)
  .filter((text) => recordersIn(text).length > 0 && !text.includes('= command({'))
  .flatMap((text) => [...text.matchAll(/^export (?:async )?function (\w+)/gm)].map(([, name]) => name));

const records = (text: string) =>
  new RegExp(`\\b(${['recordEvent', 'recordEvents', ...shared, ...recordersIn(text)].join('|')})\\(ctx, `).test(text);

test('every command records an event, or is listed with a reason', () => {
  const silent = commands.filter(({ file }) => !records(textOf(file)));
  expect(silent.map(({ exportedAs }) => exportedAs).sort()).toEqual(Object.keys(SILENT).sort());
  for (const reason of Object.values(SILENT)) expect(reason.split(' ').length).toBeGreaterThan(3);
});

test('every kind of event is recorded somewhere', () => {
  const written = globSync('{domain,platform}/**/*.ts', { cwd: SRC })
    .filter((file) => !file.endsWith('events/kinds.ts'))
    .map(textOf)
    .join('\n');
  expect(eventKind.options.filter((kind) => !written.includes(`kind: '${kind}'`))).toEqual([]);
});
