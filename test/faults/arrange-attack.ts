import { setTimeout as sleep } from 'node:timers/promises';
import { zipOf } from '../content/import-engine/arrange.ts';
import type { Ground } from './attack-plan.ts';
import { edit, type Sent } from './hostile-requests.ts';
import type { Person } from './ordinary-users.ts';

const PEOPLE = 20;
const SPACES = 2;
const PAGES = 20;
/** So many of them are made at a time. */
const TOGETHER = 4;
const ATTACKERS = 3;
const LONG_PAGES = 150;

const TEXT = 'A paragraph of **plain** words with `code`, as people write them.\n\n- One\n- Two\n\n';

/** Makes what a service is attacked with and who is at home there; `token` is the first administrator's. */
export function arranging(url: string, token: string) {
  // biome-ignore lint/suspicious/noExplicitAny: whatever came
  const send = async (sent: Sent, as = token, tries = 5): Promise<any> => {
    const { path = '/graphql', method = 'POST', body } = sent;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.1' },
      ...(body !== undefined && ({ body } as RequestInit)),
    });
    const text = await response.text();
    if (response.status === 503 && tries > 1) {
      await sleep(2_000);
      return send(sent, as, tries - 1);
    }
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const post = (path: string, body: unknown, as?: string) => send({ path, body: JSON.stringify(body) }, as);
  const graph = async (query: string, as?: string) => {
    const { data, errors } = await post('/graphql', { query }, as);
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  };
  const newUser = async (name: string): Promise<string> => {
    const { createUser } = await graph(
      `mutation { createUser(input: { email: "${name}@example.com", displayName: "${name}" }) { user { id } } }`,
    );
    const { createApiToken } = await graph(
      `mutation { createApiToken(input: { userId: "${createUser.user.id}", label: "Attack" }) { secret } }`,
    );
    return createApiToken.secret;
  };
  const newOrganization = async (title: string, as: string): Promise<string> =>
    (await graph(`mutation { createOrganization(input: { title: "${title}" }) { organization { id } } }`, as))
      .createOrganization.organization.id;
  const newSpace = async (organizationId: string, as: string): Promise<string> =>
    (await post(`/v1/orgs/${organizationId}/spaces`, { title: 'Space', empty: true }, as)).id;
  const change = (spaceId: string, changes: unknown[], as: string) =>
    post(`/v1/spaces/${spaceId}/content`, { changes, compat: false }, as);

  const person = async (index: number): Promise<Person> => {
    const as = await newUser(`person-${index}`);
    const organizationId = await newOrganization(`Organization ${index}`, as);
    const spaceIds: string[] = [];
    for (let made = 0; made < SPACES; made++) {
      const spaceId = await newSpace(organizationId, as);
      spaceIds.push(spaceId);
      const pages = Array.from({ length: PAGES }, (_, page) => ({
        operation: 'insert_page',
        title: `Page ${page}`,
        slug: `page-${page}`,
        document: { markdown: TEXT.repeat(8) },
      }));
      await change(spaceId, pages, as);
      for (let count = 0; count < 3; count++) {
        await post(`/v1/spaces/${spaceId}/change-requests`, { subject: `Change ${count}` }, as);
        await post(`/v1/spaces/${spaceId}/comments`, { body: { markdown: 'A *comment*.' } }, as);
      }
    }
    const { pages } = await send({ method: 'GET', path: `/v1/spaces/${spaceIds[0]}/content/pages` }, as);
    const pageIds = pages.map(({ id }: { id: string }) => id);
    return { url, token: as, address: `198.51.100.${index + 1}`, organizationId, spaceIds, pageIds };
  };

  const drawing = async (organizationId: string, reference: string, as: string): Promise<string> => {
    const spaceId = await newSpace(organizationId, as);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="${reference}" width="9" height="9"/></svg>`;
    const files = [{ name: 'x.svg', base64: Buffer.from(svg).toString('base64'), ref: 'f' }];
    const { insertedFiles } = await change(spaceId, [{ operation: 'insert_files', files }], as);
    await send(edit(spaceId, `![](file:${insertedFiles[0].id})\n\n${TEXT.repeat(50)}`), as);
    return spaceId;
  };

  const archive = async (organizationId: string, as: string): Promise<string> => {
    const page = 'A paragraph with **bold** words, `code` and [a link](https://example.com/).\n\n'.repeat(80);
    const files = Array.from({ length: 1_500 }, (_, index) => [
      `folder-${index % 40}/page-${index}.md`,
      `# ${index}\n\n${page}`,
    ]);
    const body = new Uint8Array(await zipOf(Object.fromEntries(files)));
    return (await send({ path: `/v1/orgs/${organizationId}/uploads?name=a.zip`, body }, as)).url;
  };

  const longSite = async (organizationId: string, as: string) => {
    const longSpaceId = await newSpace(organizationId, as);
    for (let batch = 0; batch < LONG_PAGES / 5; batch++) {
      const pages = Array.from({ length: 5 }, (_, page) => ({
        operation: 'insert_page',
        title: 'Long',
        slug: `page-${5 * batch + page}`,
        document: { markdown: 'word '.repeat(38_000) },
      }));
      await change(longSpaceId, pages, as);
    }
    const site = await post(`/v1/orgs/${organizationId}/sites`, { title: 'Long', spaces: [longSpaceId] }, as);
    await post(`/v1/orgs/${organizationId}/sites/${site.id}/publish`, undefined, as);
    const { urls } = await send({ method: 'GET', path: `/v1/orgs/${organizationId}/sites/${site.id}` }, as);
    return { longSpaceId, longSitePath: new URL(urls.published).pathname.replace(/\/$/, '') };
  };

  return {
    async people(): Promise<Person[]> {
      const people: Person[] = [];
      for (let index = 0; index < PEOPLE; index += TOGETHER) {
        const some = Array.from({ length: TOGETHER }, (_, offset) => person(index + offset));
        people.push(...(await Promise.all(some)));
      }
      return people;
    },
    async ground(siteUrl: string): Promise<Ground> {
      const tokens = await Promise.all(Array.from({ length: ATTACKERS }, (_, index) => newUser(`attacker-${index}`)));
      const [as = ''] = tokens;
      const organizationId = await newOrganization('Attackers', as);
      // Accounts of an organization of their own can do what one of a member can: the others attack with what is
      // theirs.
      const own = () => newSpace(organizationId, as);
      const [spaceId, emojiSpaceId, treeSpaceId] = [await own(), await own(), await own()];
      const emoji = {
        operation: 'insert_page',
        title: 'Emoji',
        slug: 'emoji',
        document: { markdown: '😀'.repeat(20_000) },
      };
      await change(emojiSpaceId, [emoji], as);
      for (let batch = 0; batch < 20; batch++) {
        const pages = Array.from({ length: 50 }, (_, page) => ({
          operation: 'insert_page',
          title: `A title that takes some room ${batch} ${page} ${'x'.repeat(100)}`,
          document: { markdown: 'Short.' },
        }));
        await change(treeSpaceId, pages, as);
      }
      return {
        url,
        organizationId,
        tokens: [as],
        spaceId,
        emojiSpaceId,
        treeSpaceId,
        importSpaceIds: await Promise.all(Array.from({ length: 12 }, own)),
        archiveUrl: await archive(organizationId, as),
        drawingSpaceIds: await Promise.all(
          ['/dev/zero', '/etc/hostname', `file://${import.meta.dirname}/x.png`, 'http://127.0.0.1:1/'].map(
            (reference) => drawing(organizationId, reference, as),
          ),
        ),
        siteUrl,
        ...(await longSite(organizationId, as)),
      };
    },
  };
}
