import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { EntityManager } from '@mikro-orm/postgresql';
import { importIntoSpace } from '../domain/content/import-engine/import-into-space.ts';
import { readGiven } from '../domain/content/import-engine/prepare-import.ts';
import { createSpace } from '../domain/places/spaces/create-space.ts';
import type { Context } from '../platform/context/context.ts';
import { accessThrough } from '../platform/context/database-access.ts';
import type { Services } from '../platform/context/services.ts';
import { withCleanup } from '../platform/operation/cleanup.ts';
import { ownFile } from '../platform/own-files.ts';

const HANDBOOK = fileURLToPath(ownFile('src/demo/handbook'));

/** Creates a space with Stemma's handbook, in the transaction of the first start. */
export async function loadDemo(
  services: Services,
  em: EntityManager,
  admin: { organizationId: string; userId: string },
): Promise<void> {
  const ctx: Context = {
    actor: { kind: 'user', userId: admin.userId, isOperator: true, by: 'session' },
    ...accessThrough(em),
    services,
    requestId: `demo-${randomUUID()}`,
    log: services.log,
    inTransaction: true,
  };
  const { organizationId } = admin;
  await withCleanup(ctx, async (scoped) => {
    const { spaceId } = await createSpace(scoped, { organizationId, title: 'Stemma handbook', emoji: '1f4d8' });
    const handbook = await readGiven(scoped, [{ path: HANDBOOK, name: 'handbook' }]);
    await importIntoSpace(scoped, spaceId, handbook);
  });
}
