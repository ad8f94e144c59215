import type { Updateable } from 'kysely';
import type { Tables } from '../../../src/platform/database/tables.ts';
import { newId } from '../../../src/platform/ids.ts';
import type { Client } from '../../client.ts';
import type { World } from '../../world.ts';

export interface Made {
  id: string;
  number: number;
}

/** What tests of change requests begin with; states that no operation brings about yet are written as rows. */
export function arrangeIn({ app: { services }, admin, organizationId, advance }: World) {
  const { db } = services;
  return {
    async space(within: { by: Client; organizationId: string } = { by: admin, organizationId }): Promise<string> {
      const input = { organizationId: within.organizationId, title: 'Docs' };
      return (await within.by.mutate('createSpace', input, 'space { id }')).space.id;
    },

    /** A second after whatever was made before. */
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

    /** A revision with the content of the space's head, written in a change request or, without one, at the head. */
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
