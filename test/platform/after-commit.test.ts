import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Context } from '../../src/platform/context/context.ts';
import { command } from '../../src/platform/operation/operation.ts';
import { world } from '../world.ts';

const { app, admin } = await world();

const ctx: Context = {
  actor: { kind: 'user', userId: admin.userId, isOperator: true, by: 'token' },
  em: app.services.em.fork(),
  db: app.services.db,
  services: app.services,
  requestId: 'req-test',
  log: app.services.log,
  inTransaction: false,
};

const rename = (run: (ctx: Context) => Promise<void>) =>
  command({ name: 'rename', scope: 'write', description: 'Renames the caller.', input: z.object({}), run });

const renameTo = (displayName: string, seen: string[]) => async (inside: Context) => {
  inside.afterCommit?.push(() => seen.push(displayName));
  await inside.db.updateTable('user').set({ displayName }).where('id', '=', admin.userId).execute();
};

test("effects run after the commit, nested commands' after the outer one", async () => {
  const seen: string[] = [];
  const inner = rename(renameTo('Inner', seen));
  const outer = rename(async (inside) => {
    await renameTo('Outer', seen)(inside);
    await inner(inside, {});
    expect(seen).toEqual([]);
  });
  await outer(ctx, {});
  expect(seen).toEqual(['Outer', 'Inner']);
});

test('effects of a rollback do not run', async () => {
  const seen: string[] = [];
  const failing = rename(async (inside) => {
    await renameTo('Never', seen)(inside);
    throw new Error('on purpose');
  });
  await expect(failing(ctx, {})).rejects.toThrow('on purpose');
  expect(seen).toEqual([]);
  expect((await admin.get('/v1/user')).body.displayName).toBe('Inner');
});
