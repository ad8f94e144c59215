import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { importIntoSpace } from '../domain/imports/import-space-content.ts';
import { readArchive } from '../domain/imports/prepare-import.ts';
import { createSpace } from '../domain/spaces/create-space.ts';
import { readFolder } from '../platform/archive/read-folder.ts';
import type { Context, Services } from '../platform/context.ts';

const HANDBOOK = fileURLToPath(new URL('./handbook', import.meta.url));

/** Makes a space with Stemma's own handbook in it, by the operations that anybody would use. */
export async function loadDemo(services: Services, admin: { organizationId: string; userId: string }): Promise<void> {
  const ctx: Context = {
    actor: { kind: 'user', userId: admin.userId, isOperator: true, by: 'session' },
    db: services.db,
    services,
    requestId: `demo-${randomUUID()}`,
    log: services.log,
    inTransaction: false,
  };
  const { organizationId } = admin;
  const { spaceId } = await createSpace(ctx, { organizationId, title: 'Stemma handbook', emoji: '1f4d8' });
  const repository = await readArchive(ctx, () => readFolder(HANDBOOK));
  await ctx.db.transaction().execute((db) => importIntoSpace({ ...ctx, db, inTransaction: true }, spaceId, repository));
}
