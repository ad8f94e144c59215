import type { Client } from '../client.ts';

/** A space with a title, made by a client. Returns its id. */
export async function spaceTitled(client: Client, organizationId: string, title: string): Promise<string> {
  const { body } = await client.post(`/v1/orgs/${organizationId}/spaces`, { title });
  return body.id;
}

/** A site, its address in REST, and requests below it. */
export async function siteWith(client: Client, organizationId: string, settings: Record<string, unknown> = {}) {
  const { body } = await client.post(`/v1/orgs/${organizationId}/sites`, settings);
  const path = `/v1/orgs/${organizationId}/sites/${body.id}`;
  return { id: body.id as string, path, body };
}

/** What REST shows of a structure: the titles, with those of children in lists. */
// biome-ignore lint/suspicious/noExplicitAny: as it came.
export function outlineOf(items: any[]): unknown[] {
  return items.map((item) => {
    if (item.object === 'site-section-group') return { [item.title]: outlineOf(item.children) };
    return item.object === 'site-section' ? { [item.title]: outlineOf(item.siteSpaces) } : item.title;
  });
}
