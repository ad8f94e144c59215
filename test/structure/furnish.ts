import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect } from 'vitest';
import yazl from 'yazl';
import { processOpenApiSpec } from '../../src/domain/sources/openapi/processing/process-openapi-spec.ts';
import { type IdPrefix, newId, PREFIXES } from '../../src/platform/ids/ids.ts';
import { jobContext } from '../../src/platform/jobs/job.ts';
import { Client } from '../client.ts';
import { grouped } from '../insight/conversations/conversations.ts';
import { appAt } from '../world.ts';

/**
 * One object of each kind that there is, by the prefix of its id; the path of the page, the hostname of the site, and
 * the URL of another site, which is public. Of kinds that are in a change request or else in a space, one of either.
 */
export type Ids = Partial<Record<IdPrefix | 'path' | 'specSlug' | 'hostname' | 'publishedUrl', string>> & {
  inChangeRequest?: Ids;
};

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A page with some words and an image. */
async function archiveWith(words: string): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  zip.addBuffer(Buffer.from(`# Start\n\nHere is a pixel: ![Pixel](pixel.png)\n\n${words}\n`), 'README.md');
  zip.addBuffer(PIXEL, 'pixel.png');
  zip.end();
  return buffer(zip.outputStream);
}

/** So many words that questions with them are never alike. */
function randomWords(): string {
  const letters = [...randomBytes(120)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');
  return (letters.match(/.{10}/g) ?? []).join(' ');
}

/** Puts one of everything into an organization, by the public door. */
export async function furnish(client: Client, organizationId: string): Promise<Ids> {
  const organization = `/v1/orgs/${organizationId}`;
  const made = async (path: string, body: unknown, type = 'application/json') => {
    const answer = await client.send('POST', path, body, { 'content-type': type });
    expect([path, answer.body.error, answer.status]).toEqual([path, undefined, 201]);
    return answer.body;
  };
  const words = randomWords();
  const upload = await made(`${organization}/uploads`, await archiveWith(words), 'application/zip');
  const collection = await made(`${organization}/collections`, { title: 'Shelf' });
  const space = await made(`${organization}/spaces`, { title: 'Guide', parent: collection.id, empty: true });
  await made(`/v1/spaces/${space.id}/content/import`, { url: upload.url, source: 'zip' });
  const shared = { operation: 'insert_reusable_content', title: 'Note', document: { markdown: 'Mind the gap.' } };
  expect((await client.post(`/v1/spaces/${space.id}/content`, { changes: [shared] })).status).toBe(200);
  const changeRequest = await made(`/v1/spaces/${space.id}/change-requests`, { subject: 'Better words' });
  const review = await made(`/v1/spaces/${space.id}/change-requests/${changeRequest.id}/reviews`, {
    status: 'changes-requested',
  });
  const discuss = async (path: string) => {
    const { body } = await client.post(`/v1/spaces/${space.id}${path}`, { body: { markdown: 'Why?' } });
    await client.put(`/v1/spaces/${space.id}${path}/${body.id}`, { addedReactions: ['👍'] });
    return body;
  };
  const comment = await discuss('/comments');
  const reply = await discuss(`/comments/${comment.id}/replies`);
  const onChange = await discuss(`/change-requests/${changeRequest.id}/comments`);
  const replyOnChange = await discuss(`/change-requests/${changeRequest.id}/comments/${onChange.id}/replies`);
  const source = { type: 'file', files: [upload.id] };
  const run = await made(`/v1/org/${organizationId}/imports`, { source, target: { space: space.id } });
  await client.post(`/v1/org/${organizationId}/imports/${run.id}/cancel`);
  const token = await made('/v1/user/tokens', { label: 'Kept' });
  const openapi = await made(`${organization}/openapi`, {
    slug: `api-${space.id.slice(6)}`,
    source: { text: '{"openapi":"3.1.0","info":{"title":"Pets","version":"1"},"paths":{"/pets":{"get":{}}}}' },
  });
  const version = await processed(client, `${organization}/openapi/${openapi.slug}`, openapi.id);
  const saml = await made(`${organization}/saml`, { label: 'Directory' });
  const oidc = await made(`${organization}/oidc`, { label: 'Login' });
  const scimToken = await made(`${organization}/scim-tokens`, { label: 'Directory' });
  const webhook = await made(`${organization}/webhooks`, { url: 'https://example.com/hook' });
  await client.post(`/v1/spaces/${space.id}/git/import`, {
    url: 'https://git.example/docs.git',
    ref: 'refs/heads/main',
  });
  const [gitRun] = (await client.get(`/v1/spaces/${space.id}/git/runs`)).body.items;
  await synchronized(client, organizationId, space);
  const gitConnection = await made(`/v1/spaces/${space.id}/git/connection`, {
    url: 'https://example.com/docs.git',
    ref: 'refs/heads/main',
  });
  const { memberId, inviteId, userId } = await invitePeople(client, organizationId);
  const team = await client.put(`${organization}/teams`, { title: 'Writers', members: [userId] });
  const link = await made(`${organization}/link-invites`, { level: 'read', space: space.id });
  const site = await made(`${organization}/sites`, { title: 'Help' });
  const onSite = (path: string, body: unknown) => made(`${organization}/sites/${site.id}/${path}`, body);
  const hostname = `docs.${site.id.slice(-10)}.example.com`;
  expect((await client.patch(`${organization}/sites/${site.id}`, { hostname })).status).toBe(200);
  const section = await onSite('sections', { spaceId: space.id, title: 'Guides' });
  const siteSpace = await onSite('site-spaces', { spaceId: space.id });
  const group = await onSite('section-groups', { title: 'More' });
  await onSite('sections', { spaceId: space.id, title: 'Reference' });
  const externalLink = await onSite('external-links', { title: 'Status', url: 'https://status.example.com/' });
  const shareLink = await onSite('share-links', { name: 'Press' });
  // The first read makes the key of the site.
  expect((await client.get(`${organization}/sites/${site.id}/publishing/auth`)).status).toBe(200);
  const jsonSchema = { type: 'object', properties: {}, additionalProperties: false };
  await client.put(`${organization}/sites/${site.id}/adaptive-schema`, { jsonSchema });
  const redirect = await onSite('redirects', {
    source: '/old',
    destination: { kind: 'external', url: 'https://example.com/' },
  });
  const publishedUrl = await published(client, organization);
  const conversations = await ingested(client, organizationId, words);
  const { body: translation } = await client.post(`${organization}/translations`, {
    source: { space: space.id, language: 'en' },
    language: 'de',
  });
  const terms = [{ type: 'insert', translations: { en: 'gap', de: 'Lücke' } }];
  expect((await client.put(`${organization}/translations-glossary`, { operations: terms })).status).toBe(204);
  const glossary = (await client.get(`${organization}/translations-glossary`)).body.items[0].id;
  const read = async (path: string) => (await client.get(`/v1/spaces/${space.id}/content${path}`)).body;
  const [page] = (await read('/pages')).pages;
  return {
    org: organizationId,
    user: client.userId,
    upload: upload.id,
    collection: collection.id,
    space: space.id,
    cr: changeRequest.id,
    import: run.id,
    gitrun: gitRun.id,
    gitconnection: gitConnection.id,
    review: review.id,
    comment: comment.id,
    reply: reply.id,
    inChangeRequest: { comment: onChange.id, reply: replyOnChange.id },
    token: token.id,
    ...(await signedInAs(client)),
    webhook: webhook.id,
    openapi: openapi.id,
    openapiversion: version,
    specSlug: openapi.slug,
    saml: saml.id,
    oidc: oidc.id,
    scimtoken: scimToken.id,
    team: team.body.id,
    member: memberId,
    emailinvite: inviteId,
    invite: link.id,
    site: site.id,
    section: section.id,
    sitespace: siteSpace.id,
    sectiongroup: group.id,
    externallink: externalLink.id,
    sharelink: shareLink.id,
    ...conversations,
    redirect: redirect.id,
    hostname,
    publishedUrl,
    translation: translation.id,
    glossary,
    rev: (await read('')).id,
    page: page.id,
    path: page.path,
    doc: page.documentId,
    file: (await read('/files')).items[0].id,
    reusable: (await read('/reusable-contents')).items[0].id,
  };
}

/** A session, a passkey and an application of the client's user. Their own tests make them with browsers. */
async function signedInAs({ url, userId }: Client): Promise<Ids> {
  const { db } = appAt(url).services;
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const ids = { session: newId('session'), passkey: newId('passkey'), oauthgrant: newId('oauthgrant') };
  await db
    .insertInto('session')
    .values({ id: ids.session, userId, secretHash: randomBytes(32), expiresAt })
    .execute();
  const passkey = {
    label: 'Key',
    credentialId: randomBytes(16),
    publicKey: randomBytes(77),
    counter: 0,
    transports: 'usb',
  };
  await db
    .insertInto('passkey')
    .values({ id: ids.passkey, userId, ...passkey })
    .execute();
  const granted = {
    clientId: 'client',
    clientName: 'Robot',
    redirectTo: '127.0.0.1',
    scopes: ['read' as const],
    resources: [],
  };
  await db
    .insertInto('oauth_grant')
    .values({ id: ids.oauthgrant, userId, ...granted, expiresAt })
    .execute();
  return ids;
}

/** Invites two people, one of whom becomes a reader of the organization. */
async function invitePeople(client: Client, organizationId: string) {
  const people = [1, 2].map(() => ({ email: `${newId('user')}@example.com`, role: 'READ' }));
  const { invites } = await client.mutate('inviteMembers', { organizationId, people }, 'invites { id url }');
  const [{ id, url }, { id: inviteId }] = invites;
  const secret = url.split('.').at(-1);
  const { user } = await new Client(client.url).mutate('acceptInvite', { inviteId: id, secret }, 'user { id }');
  const { organization } = await client.graphql(
    'query($id: ID!, $userId: ID!) { organization(id: $id) { member(userId: $userId) { id } } }',
    { id: organizationId, userId: user.id },
  );
  return { inviteId, memberId: organization.member.id, userId: user.id };
}

/** Publishes a site with a separate space that all visitors can read, and returns its URL. */
async function published(client: Client, organization: string): Promise<string> {
  const { body: space } = await client.post(`${organization}/spaces`, { title: 'Open' });
  const { body: site } = await client.post(`${organization}/sites`, { title: 'Public', spaces: [space.id] });
  expect((await client.post(`${organization}/sites/${site.id}/publish`)).status).toBeLessThan(300);
  return (await client.get(`${organization}/sites/${site.id}`)).body.urls.published;
}

/** Remembers a branch for a space as a finished run does: there is no Git server here. */
async function synchronized(client: Client, organizationId: string, { id: spaceId, revision }: Record<string, string>) {
  await appAt(client.url)
    .services.db.insertInto('git_sync')
    .values({
      spaceId: spaceId ?? '',
      organizationId,
      provider: 'github',
      repositoryUrl: 'https://example.com/docs.git',
      ref: 'refs/heads/main',
      projectDirectory: '',
      commitOid: '1'.repeat(40),
      baseRevisionId: revision ?? '',
      branchRevisionId: revision ?? '',
      conflictKeys: JSON.stringify([]) as never,
      operationAt: new Date().toISOString(),
    })
    .onConflict((requested) =>
      requested.column('spaceId').doUpdateSet((row) => ({
        provider: 'github' as const,
        commitOid: row.ref('excluded.commitOid'),
        baseRevisionId: row.ref('excluded.baseRevisionId'),
        branchRevisionId: row.ref('excluded.branchRevisionId'),
      })),
    )
    .execute();
}

/** Processes a specification, and answers the id of its version. */
async function processed(client: Client, path: string, openApiSpecId: string): Promise<string> {
  const context = jobContext(appAt(client.url).services, 'test');
  const signal = new AbortController().signal;
  await processOpenApiSpec.run(context, { openApiSpecId, sourceNumber: 1 }, { signal, retries: 0 });
  return (await client.get(`${path}/versions/latest`)).body.id;
}

/** Two conversations that ask the same, their issues and the cluster, which the page with the words may answer. */
async function ingested(client: Client, organizationId: string, words: string): Promise<Ids> {
  const question = { type: 'MESSAGE', role: 'USER', body: `Where is ${words}?` };
  const conversations = [1, 2].map(() => ({ id: newId('conversation'), parts: [question] }));
  await client.mutate('ingestConversations', { organizationId, conversations }, 'conversations { id }');
  await grouped({ app: appAt(client.url), organizationId });
  const { body } = await client.get(`/v1/orgs/${organizationId}/conversations-issues`);
  const { issue } = body.items[0];
  expect(issue.cluster).toBeDefined();
  return { conversation: issue.conversation, issue: issue.id, cluster: issue.cluster };
}

/** Ids that look as they should and name nothing. */
export const absentIds = Object.fromEntries(
  Object.keys(PREFIXES).map((prefix) => [prefix, newId(prefix as IdPrefix)]),
) as Ids; // of PREFIXES

/** The kind of object that a name asks for, by its type or its prefix: `spaceId`, `tokenId`. */
export function prefixOfName(name: string): IdPrefix | undefined {
  const wanted = name.replace(/Ids?$/, '').toLowerCase();
  const match = Object.entries(PREFIXES).find(([prefix, type]) => prefix === wanted || type.toLowerCase() === wanted);
  return match?.[0] as IdPrefix | undefined; // a key of PREFIXES
}
