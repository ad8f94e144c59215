import type { Role } from '../../../src/platform/access/roles.ts';
import type { Database } from '../../../src/platform/database/tables.ts';
import { newId } from '../../../src/platform/ids/ids.ts';

/** Writes the things that access walks through as rows, since the rooms that edit most of them come later. */
export function contentOf(db: Database, organizationId: string) {
  let count = 0;
  const rank = () => `V${String.fromCharCode(65 + Math.floor(count / 26))}${String.fromCharCode(65 + (count++ % 26))}`;
  const place = (itemId: string, parentId: string) =>
    db.insertInto('placement').values({ itemId, organizationId, parentId, rank: rank() }).execute();

  /** Puts a space on a site, at the root or in a section of its own, of which either has the condition. */
  async function link(
    siteId: string,
    spaceId: string,
    { isInSection = false, condition = null }: { isInSection?: boolean; condition?: string | null } = {},
  ): Promise<string> {
    const id = newId('sitespace');
    const of = { organizationId, siteId };
    const sectionId = isInSection ? newId('section') : null;
    if (sectionId !== null) {
      const section = {
        id: sectionId,
        kind: 'section' as const,
        title: 'Section',
        path: sectionId,
        rank: rank(),
        condition,
      };
      await db
        .insertInto('site_item')
        .values({ ...of, ...section })
        .execute();
    }
    const values = { id, spaceId, sectionId, path: id, rank: rank(), condition: isInSection ? null : condition };
    await db
      .insertInto('site_space')
      .values({ ...of, ...values })
      .execute();
    return id;
  }

  return {
    async collection({ parentId = organizationId, role = null }: { parentId?: string; role?: Role | null } = {}) {
      const id = newId('collection');
      const values = { id, organizationId, title: 'Collection', defaultLevel: role };
      await db.insertInto('collection').values(values).execute();
      await place(id, parentId);
      return id;
    },

    async space({ parentId = organizationId, role = null }: { parentId?: string; role?: Role | null } = {}) {
      const id = newId('space');
      const values = { id, organizationId, title: 'Space', defaultLevel: role };
      await db
        .insertInto('space')
        .values({ ...values, mergeRules: { type: 'inherit' }, revisionId: newId('rev') })
        .execute();
      await place(id, parentId);
      return id;
    },

    async site({
      spaces = [],
      role = null,
      ...columns
    }: {
      spaces?: string[];
      role?: Role | null;
      isPublished?: boolean;
      visibility?: 'public' | 'unlisted' | 'share-link' | 'visitor-auth';
    } = {}) {
      const id = newId('site');
      const values = { id, organizationId, title: 'Site', defaultLevel: role, ...columns };
      await db.insertInto('site').values(values).execute();
      for (const spaceId of spaces) await link(id, spaceId);
      return id;
    },

    link,

    async team(userIds: string[]) {
      const id = newId('team');
      await db.insertInto('team').values({ id, organizationId, title: 'Team' }).execute();
      for (const userId of userIds) {
        await db.insertInto('team_member').values({ teamId: id, userId, organizationId }).execute();
      }
      return id;
    },
  };
}
