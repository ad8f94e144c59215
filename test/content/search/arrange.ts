import type { Client } from '../../client.ts';

/** A page to be made: its fields, and its body in Markdown. */
export interface Written {
  title: string;
  markdown?: string;
  description?: string;
  noIndex?: boolean;
  hidden?: boolean;
}

/** A space with such pages at its top level; their ids in that order. */
export async function spaceWith(
  client: Client,
  organizationId: string,
  pages: readonly Written[],
  { title = 'Guide', language }: { title?: string; language?: string } = {},
): Promise<{ spaceId: string; pageIds: string[] }> {
  const { space } = await client.mutate('createSpace', { organizationId, title, empty: true }, 'space { id }');
  if (language) await client.patch(`/v1/spaces/${space.id}`, { language });
  await edit(
    client,
    space.id,
    pages.map(({ markdown = '', ...fields }) => ({ insertPage: { ...fields, document: { markdown } } })),
  );
  const { body } = await client.get(`/v1/spaces/${space.id}/content/pages`);
  return { spaceId: space.id, pageIds: body.pages.map(({ id }: { id: string }) => id) };
}

export const edit = (client: Client, spaceId: string, changes: object[]) =>
  client.mutate('updateSpaceContent', { spaceId, changes }, 'space { id }');

const searchAddress = (spaceId: string, query: string) =>
  `/v1/spaces/${spaceId}/search?query=${encodeURIComponent(query)}`;

/** Searches a space through REST. */
export async function searched(client: Client, spaceId: string, query: string) {
  const { body } = await client.restAs('searchSpaceContent', 'GET', searchAddress(spaceId, query));
  return body.items;
}

/** The titles of the pages that a search finds, best first. */
export async function titles(client: Client, spaceId: string, query: string): Promise<string[]> {
  return (await searched(client, spaceId, query)).map(({ title }: { title: string }) => title);
}
