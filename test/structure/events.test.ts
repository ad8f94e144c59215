import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventKind } from '../../src/platform/events/kinds.ts';
import { findOperations } from './operations.ts';

const SRC = join(import.meta.dirname, '..', '..', 'src');

/** Commands that record no event, and why. */
const SILENT: Record<string, string> = {
  retryDeadJobs: 'an operator gives a job back to its queue, and what the job does is recorded by the job',
  redeliverWebhookEvent: 'it sends an event that is recorded already, and the log of deliveries says so',
  pingOrganization: 'frontends ping all the time, and the member has the time of the last activity',
  createUpload: 'nobody else can use an upload, and what uses it records what it did',
};

const commands = (await findOperations()).filter(({ operation }) => operation.kind === 'command');
const textOf = (file: string) => readFileSync(join(SRC, file), 'utf8');

/** What records an event for whoever calls it: `recordEvent`, and functions beside it that several commands share. */
function recorders(): RegExp {
  const shared = globSync('domain/**/*.ts', { cwd: SRC })
    .map(textOf)
    .filter((text) => text.includes('await recordEvent(') && !text.includes('= command({'))
    .flatMap((text) => [...text.matchAll(/^export (?:async )?function (\w+)/gm)].map(([, name]) => name));
  return new RegExp(`\\b(${['recordEvent', ...shared].join('|')})\\(ctx, `);
}

test('every command records an event, or is listed with a reason', () => {
  const silent = commands.filter(({ file }) => !recorders().test(textOf(file)));
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
