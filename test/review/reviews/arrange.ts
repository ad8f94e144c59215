import type { Client } from '../../client.ts';
import type { World } from '../../world.ts';

/** Arrangements for tests of reviews and merges. */
export function arrangeIn({ admin, organizationId, advance }: World) {
  return {
    /** Creates a space with a page for each Markdown body, in order. */
    async space(...bodies: string[]): Promise<{ spaceId: string; pageIds: string[] }> {
      const given = { organizationId, title: 'Docs', empty: true };
      const spaceId = (await admin.mutate('createSpace', given, 'space { id }')).space.id;
      const changes = bodies.map((markdown, index) => ({
        insertPage: { title: `Page ${index + 1}`, document: { markdown } },
      }));
      if (changes.length === 0) return { spaceId, pageIds: [] };
      const { space } = await admin.mutate(
        'updateSpaceContent',
        { spaceId, changes },
        'space { revision { pages { ... on PageNode { pageId } } } }',
      );
      return { spaceId, pageIds: space.revision.pages.map(({ pageId }: { pageId: string }) => pageId) };
    },

    /** Advances the clock by a second, so that times are ordered. */
    async changeRequest(by: Client, spaceId: string, given: object = {}): Promise<string> {
      advance(1_000);
      const { changeRequest } = await by.mutate('createChangeRequest', { spaceId, ...given }, 'changeRequest { id }');
      return changeRequest.id;
    },

    /** Changes content of a change request. */
    async edit(by: Client, changeRequestId: string, ...changes: object[]): Promise<void> {
      advance(1_000);
      await by.mutate('updateChangeRequestContent', { changeRequestId, changes }, 'changeRequest { id }');
    },

    /** Changes the primary content. */
    async editMain(by: Client, spaceId: string, ...changes: object[]): Promise<void> {
      advance(1_000);
      await by.mutate('updateSpaceContent', { spaceId, changes }, 'space { id }');
    },
  };
}
