import { expect, test } from 'vitest';
import { changeRequestFor } from '../../../src/domain/content/change-requests/index.ts';
import type { Context } from '../../../src/platform/context/context.ts';
import type { Database } from '../../../src/platform/database/tables.ts';
import type { Client } from '../../client.ts';
import { world } from '../../world.ts';
import { arrangeIn } from './arrange.ts';

const site = await world();
const { editor, reader, reviewer } = site;
const { services } = site.app;
const arrange = arrangeIn(site);
const spaceId = await arrange.space();
const { id } = await arrange.changeRequest(editor, spaceId);

const as = ({ userId }: Client, db: Database = services.db): Context => ({
  actor: { kind: 'user', userId, isOperator: false, by: 'token' },
  em: services.em.fork(),
  db,
  services,
  requestId: 'test',
  log: services.log,
  inTransaction: false,
});

test('returns the role on the space, and refuses higher ones', async () => {
  expect(await changeRequestFor(as(reviewer), id, 'review')).toMatchObject({ id, spaceId, role: 'review' });
  await expect(changeRequestFor(as(reader), id, 'edit')).rejects.toMatchObject({
    code: 'FORBIDDEN',
    message: 'This operation requires the role "edit" on the change request. Your role is "read".',
  });
  await expect(changeRequestFor(as(editor), id, 'edit', { spaceId: 'nothing' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('locks the change request if requested, but not its space', async () => {
  const free = async (table: 'change_request' | 'space', key: string) => {
    const found = await services.db
      .selectFrom(table)
      .where('id', '=', key)
      .select('id')
      .forUpdate()
      .skipLocked()
      .execute();
    return found.length === 1;
  };
  await services.db.transaction().execute(async (db) => {
    await changeRequestFor(as(editor, db), '1', 'edit', { spaceId });
    expect(await free('change_request', id)).toBe(true);
    const inside = { ...as(editor, db), inTransaction: true };
    await changeRequestFor(inside, '1', 'edit', { spaceId, lock: 'for no key update' });
    expect(await free('change_request', id)).toBe(false);
    expect(await free('space', spaceId)).toBe(true);
  });
});
