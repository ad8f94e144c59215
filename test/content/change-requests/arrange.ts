import type { Updateable } from 'kysely';
import type { Tables } from '../../../src/platform/database/tables.ts';
import { newId } from '../../../src/platform/ids/ids.ts';
import type { Client } from '../../client.ts';
import type { World } from '../../world.ts';

export interface Made {
  id: string;
  number: number;
}

/** Arrangements for tests of change requests. Writes rows for states that no operation produces yet. */
export function arrangeIn({ app: { services }, admin, organizationId, advance }: World) {
  const { db } = services;
  return {
    async space(within: { by: Client; organizationId: string } = { by: admin, organizationId }): Promise<string> {
      const input = { organizationId: within.organizationId, title: 'Docs' };
      return (await within.by.mutate('createSpace', input, 'space { id }')).space.id;
    },

    /** Advances the clock by a second, so that times are ordered. */
    async changeRequest(
      by: Client,
      spaceId: string,
      columns: Updateable<Tables['change_request']> = {},
    ): Promise<Made> {
      advance(1_000);
      const { changeRequest } = await by.mutate('createChangeRequest', { spaceId }, 'changeRequest { id number }');
      if (Object.keys(columns).length > 0) {
        await db.updateTable('change_request').set(columns).where('id', '=', changeRequest.id).execute();
      }
      return changeRequest;
    },

    /** Inserts a revision with the current content of the space, in a change request or in the space itself. */
    async revision(by: Client, spaceId: string, changeRequestId: string | null): Promise<string> {
      advance(1_000);
      const head = await db
        .selectFrom('space')
        .innerJoin('revision', 'revision.id', 'space.revisionId')
        .where('space.id', '=', spaceId)
        .selectAll('revision')
        .executeTakeFirstOrThrow();
      const written = {
        id: newId('rev'),
        parents: [head.id],
        changeRequestId,
        createdBy: by.userId,
        createdAt: services.clock().toISOString(),
      };
      await db
        .insertInto('revision')
        .values({ ...head, ...written })
        .execute();
      const move = { revisionId: written.id };
      if (changeRequestId === null) await db.updateTable('space').set(move).where('id', '=', spaceId).execute();
      else await db.updateTable('change_request').set(move).where('id', '=', changeRequestId).execute();
      return written.id;
    },
  };
}
