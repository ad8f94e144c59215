import type { Client } from '../../client.ts';

/** A space with one empty page, for edits of its content by a client. */
export async function aSpace(by: Client, organizationId: string): Promise<{ spaceId: string; pageId: string }> {
  const { space } = await by.mutate(
    'createSpace',
    { organizationId, title: 'Docs' },
    'space { id revision { pages { ... on PageNode { pageId } } } }',
  );
  return { spaceId: space.id, pageId: space.revision.pages[0].pageId };
}

const PAYLOAD = `revision { id } pageIds
  insertedFiles { fileId name contentType size downloadUrl dimensions { width height } }
  insertedReusableContents { reusableContentId title markdown }`;

/** Edits a space in the graph. */
export const editBy =
  (spaceId: string) =>
  (by: Client, changes: unknown[], more: Record<string, unknown> = {}) =>
    by.mutate('updateSpaceContent', { spaceId, changes, ...more }, PAYLOAD);

/** Edits a change request in the graph. */
export const proposeBy =
  (changeRequestId: string) =>
  (by: Client, changes: unknown[], more: Record<string, unknown> = {}) =>
    by.mutate('updateChangeRequestContent', { changeRequestId, changes, ...more }, PAYLOAD);
