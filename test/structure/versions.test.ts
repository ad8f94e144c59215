import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { routes } from '../../src/routes.ts';
import { world } from '../world.ts';
import { callMutation, callRoute } from './calls.ts';
import { furnish } from './furnish.ts';
import { findOperations } from './operations.ts';
import { versionExamples } from './version-examples.ts';

const { admin, organizationId } = await world();
const ids = await furnish(admin, organizationId);
const examples = await versionExamples(admin, ids);

/** Commands that change or end something without comparing a version. The documentation says why. */
function unversioned(): string[] {
  const decisions = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'decisions', 'api.md'), 'utf8');
  const [, section = ''] = /^## Versions$(.*?)^## /ms.exec(decisions) ?? [];
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}

/** Begins something new: there is no version to expect of it. */
const isCreation = (name: string) => /^(create|add|post|submit|request|start|duplicate|redeliver)[A-Z]/.test(name);

const commands = (await findOperations()).map(({ operation }) => operation).filter(({ kind }) => kind === 'command');

test('every command on one resource honors If-Match, or is listed in docs/decisions/api.md with a reason', () => {
  const others = commands.filter(
    ({ versioned, operationName }) => versioned === undefined && !isCreation(operationName),
  );
  expect(others.map(({ operationName }) => operationName).sort()).toEqual(unversioned().sort());
});

const versioned = commands.filter(({ versioned }) => versioned !== undefined);

test.each(versioned.map((operation) => [operation.operationName, operation] as const))(
  '%s refuses another version',
  async (_name, operation) => {
    const given = { ...examples[operation.operationName], expectedVersion: 'another' };
    const { body } = await callMutation(admin, operation, ids, given);
    expect(body.errors).toMatchObject([
      { message: expect.stringMatching(/^The resource has changed\./), extensions: { code: 'PRECONDITION_FAILED' } },
    ]);
  },
);

const changed = routes.filter(({ operation, path }) => operation?.versioned !== undefined && /:\w+$/.test(path));
const reads = changed.flatMap(({ path }) =>
  routes.filter((route) => route.method === 'GET' && route.path === path && route.operation),
);

test.each([...new Map(reads.map((route) => [route.path, route]))])(
  'GET %s returns the ETag that its changes expect',
  async (_path, route) => {
    const { status, headers } = await callRoute(admin, route, ids);
    expect([status, headers.get('etag')]).toEqual([
      200,
      expect.stringMatching(/^"[0-9a-f]{24}\.[0-9a-f]{16}(-\w+)?"$/),
    ]);
  },
);

test('everything that can be changed at a path can be read there', () => {
  const unread = changed.filter(({ path }) => !reads.some((route) => route.path === path));
  expect(unread.map(({ path }) => path)).toEqual([]);
});
