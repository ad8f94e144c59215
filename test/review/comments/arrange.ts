import { expect } from 'vitest';
import type { Client } from '../../client.ts';
import type { World } from '../../world.ts';

const PAGE = `# Start

A first paragraph.

| Name | Value |
| ---- | ----- |
| a    | b     |
`;

/** The path of a REST URL, whose host differs from the one that tests use. */
export const pathIn = (location: string) => new URL(location).pathname;

/** The properties of nodes that these tests read. */
interface Node {
  key?: string;
  type?: string;
  data: { records?: object; definition?: object };
}

/** A space with a page, and a change request on it. */
export async function arrangeIn({ admin, editor, organizationId, advance }: World) {
  const { space } = await admin.mutate(
    'createSpace',
    { organizationId, title: 'Docs', empty: true },
    'space { id revision { id } }',
  );
  const document = { markdown: PAGE };
  const changes = [{ insertPage: { title: 'Start', document } }, { insertPage: { title: 'Other' } }];
  const { pageIds, revision } = await admin.mutate(
    'updateSpaceContent',
    { spaceId: space.id, changes },
    'pageIds revision { id }',
  );
  const [pageId, otherPageId] = pageIds;
  const made = await editor.mutate('createChangeRequest', { spaceId: space.id }, 'changeRequest { id number }');
  const path = `/v1/spaces/${space.id}`;
  const { body } = await admin.get(`${path}/content/page/${pageId}`);
  const nodes: Node[] = body.document.nodes;
  const table = nodes.find(({ type }) => type === 'table');
  const first = (members: object | undefined) => Object.keys(members ?? {})[0] ?? '';
  return {
    spaceId: space.id as string,
    pageId: pageId as string,
    otherPageId: otherPageId as string,
    revisionId: revision.id as string,
    changeRequest: made.changeRequest as { id: string; number: number },
    path,
    /** Key of the paragraph. */
    node: nodes.find(({ type }) => type === 'paragraph')?.key ?? '',
    /** Key of the table and one of its cells. */
    table: table?.key ?? '',
    tableCell: { record: first(table?.data.records), definition: first(table?.data.definition) },

    /** Advances the clock by a second and posts a comment. Returns REST's response. */
    async comment(by: Client, markdown = 'Hello', given: Record<string, unknown> = {}, below = path) {
      advance(1_000);
      const { status, body: comment } = await by.post(`${below}/comments`, { body: { markdown }, ...given });
      expect([status, comment.error]).toEqual([200, undefined]);
      return { ...comment, at: pathIn(comment.urls.location) };
    },

    async reply(by: Client, { at }: { at: string }, markdown = 'Yes') {
      advance(1_000);
      const { status, body: reply } = await by.post(`${at}/replies`, { body: { markdown } });
      expect([status, reply.error]).toEqual([200, undefined]);
      return { ...reply, at: pathIn(reply.urls.location) };
    },
  };
}
