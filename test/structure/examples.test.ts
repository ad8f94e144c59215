import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import yazl from 'yazl';
import { decisionColumns } from '../../src/domain/people/access/decision-entity.ts';
import { hashToken } from '../../src/platform/access/credentials.ts';
import { newId } from '../../src/platform/ids/ids.ts';
import { routes } from '../../src/routes.ts';
import type { RestAnswer } from '../client.ts';
import { description, faultsBy } from '../description.ts';
import { startGitServer } from '../git-server.ts';
import { grouped } from '../insight/conversations/conversations.ts';
import { makeReceiver } from '../insight/webhooks/receiver.ts';
import { makeCredentials } from '../people/sso/certificate.ts';
import { settled } from '../settled.ts';
import { world } from '../world.ts';
import { type Examples, membersOf, readExamples, writeExamples } from './examples.ts';
import { watchAccess } from './locked-access.ts';

const { app, url, databaseUrl, admin, creator, reader, anonymous, organizationId } = await world({
  GIT_PROGRAM: 'git',
  WORKERS: '1',
  ALLOW_PRIVATE_NETWORK: '1',
});
const hurried = await world({ RATE_LIMIT: '1' });
const recorded: Examples = { operations: {}, apiErrors: {} };
/** Addresses of this machine, and what the examples show instead. */
const addresses: Record<string, string> = {
  [url]: 'https://docs.acme.example',
  [app.services.config.publicUrl]: 'https://docs.acme.example',
};

/**
 * Calls a route with the ids at hand and keeps what was said. What an address may have beside the path comes as `?…`.
 */
async function say(
  operationId: string,
  ids: Record<string, string> = {},
  body?: unknown,
  query = '',
): Promise<RestAnswer['body']> {
  const route = routes.find((each) => each.operationId === operationId);
  if (!route) throw new Error(`There is no ${operationId}.`);
  const given: Record<string, string> = { organizationId, userId: admin.userId, ...ids };
  const address = route.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(given[name] ?? ''));
  const isBytes = body instanceof Uint8Array;
  const type: Record<string, string> = isBytes ? { 'content-type': 'application/zip' } : {};
  const answer = await admin.send(route.method, `${address}${query}`, body, type);
  expect([operationId, answer.body.error]).toEqual([operationId, undefined]);
  expect(route.about.statuses).toContain(answer.status);
  recorded.operations[operationId] = {
    ...(body !== undefined && !isBytes && { request: body }),
    ...(route.about.shape && !route.about.bodiless?.includes(answer.status) && { response: answer.body }),
  };
  return answer.body;
}

/** Keeps the answer of a request that is refused. */
async function refused(name: string, status: number, answer: Promise<RestAnswer>): Promise<void> {
  const { status: found, body } = await answer;
  expect([name, found]).toEqual([name, status]);
  recorded.apiErrors[name] = body;
}

async function archive(): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  zip.addBuffer(Buffer.from('# Getting started\n\nWelcome to **Acme**. See the [map](map.svg).\n'), 'README.md');
  zip.addBuffer(Buffer.from('# Settings\n\nEverything that can be set.\n'), 'settings.md');
  const map = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>';
  zip.addBuffer(Buffer.from(map), 'map.svg');
  zip.end();
  return buffer(zip.outputStream);
}

async function people(): Promise<void> {
  await say('getApiInformation');
  await say('getAuthenticatedUser');
  await say('getUserById');
  await say('updateUserById', {}, { displayName: 'Ada Admin' });
  await say('createUser', {}, { email: 'grace@acme.example', displayName: 'Grace' });
  await newAddress();
  const token = await say('createApiToken', {}, { label: 'Deployment' });
  await say('listApiTokens');
  await say('revokeApiToken', { tokenId: token.id });
  await application();
}

/** An application that the admin has connected. Connecting one takes a browser. */
async function application(): Promise<void> {
  const oauthGrantId = newId('oauthgrant');
  const client = { clientId: 'Dm1aQbW3qz0r7h2s5kYxV', clientName: 'Release notes', redirectTo: '127.0.0.1:49152' };
  const granted = { userId: admin.userId, scopes: ['read', 'propose'] as const, resources: [url] };
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  await app.services.db
    .insertInto('oauth_grant')
    .values({ id: oauthGrantId, ...client, ...granted, scopes: [...granted.scopes], expiresAt })
    .execute();
  await say('listOAuthGrants');
  await say('revokeOAuthGrant', { oauthGrantId });
}

/** Sessions and passkeys of a user. Browsers make both, so that they are written as rows here. */
async function signIns(): Promise<void> {
  const { db } = app.services;
  const { userId } = admin;
  const [session, passkey] = [newId('session'), newId('passkey')];
  const [createdAt, expiresAt] = ['2026-01-30T10:00:00.000Z', '2999-01-01T00:00:00.000Z'];
  const secretHash = Buffer.alloc(32);
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  await db.insertInto('session').values({ id: session, userId, secretHash, userAgent, createdAt, expiresAt }).execute();
  const credential = {
    credentialId: Buffer.alloc(32),
    publicKey: Buffer.alloc(77),
    counter: 0,
    transports: 'internal',
  };
  await db
    .insertInto('passkey')
    .values({ id: passkey, userId, label: 'Laptop', createdAt, ...credential })
    .execute();
  await say('listSessions');
  await say('endSession', { sessionId: session });
  await say('listPasskeys');
  await say('updatePasskey', { passkeyId: passkey }, { label: 'Work laptop' });
  await say('deletePasskey', { passkeyId: passkey });
  await say('createSignInLink', { userId: creator.userId });
}

/** A user sets an address and proves it, or has it confirmed. It is the former one afterwards. */
async function newAddress(): Promise<void> {
  const { userId } = creator;
  const { db } = app.services;
  const former = { email: 'creator@acme.example', unverifiedEmail: null };
  const claim = (email: string) => creator.patch(`/v1/users/${userId}`, { email });
  await claim('katherine@acme.example');
  await say('confirmUserEmail', { userId }, { email: 'katherine@acme.example' });
  await claim('kate@acme.example');
  // The service of the examples sends no emails.
  const secret = 'secret';
  await db
    .updateTable('email_verification')
    .set({ secretHash: hashToken(secret) })
    .where('userId', '=', userId)
    .execute();
  const { body } = await creator.post('/v1/user/email/verify', { secret });
  recorded.operations.verifyEmail = { request: { secret: 'the part of the link after secret=' }, response: body };
  await db.updateTable('user').set(former).where('id', '=', userId).execute();
}

async function singleSignOn(): Promise<void> {
  const { certificate } = makeCredentials();
  const settings = {
    entityID: 'https://idp.acme.example/metadata',
    ssoURL: 'https://idp.acme.example/sso',
    certificate,
  };
  const { id: samlProviderId } = await say(
    'createOrganizationSAMLProvider',
    {},
    { label: 'Okta', defaultRole: 'read' },
  );
  await say('updateOrganizationSAMLProvider', { samlProviderId }, settings);
  await say('getOrganizationSAMLProviderById', { samlProviderId });
  await say('listSAMLProvidersInOrganizationById');
  const { id: oidcProviderId } = await say(
    'createOrganizationOIDCProvider',
    {},
    { label: 'Keycloak', defaultRole: 'read', groupsClaim: 'groups' },
  );
  await say(
    'updateOrganizationOIDCProvider',
    { oidcProviderId },
    { issuer: 'https://login.acme.example', clientID: 'stemma', clientSecret: 'an example of a client secret' },
  );
  await say('getOrganizationOIDCProviderById', { oidcProviderId });
  await say('listOIDCProvidersInOrganizationById');
  await say('listSSOProviderLoginsInOrganization');
  await say('setBreakGlassForMemberInOrganization', {}, { breakGlass: true });
  await say('deleteOrganizationSAMLProvider', { samlProviderId });
  await say('deleteOrganizationOIDCProvider', { oidcProviderId });
  const { id: scimTokenId } = await say('createScimTokenInOrganization', {}, { label: 'Entra' });
  await say('listScimTokensInOrganization');
  await say('revokeScimTokenInOrganization', { scimTokenId });
}

async function members(): Promise<void> {
  await say('getOrganizationsForEmailDomain', { emailDomain: 'labs.acme.example' });
  await say('getSubdomain', { subdomain: 'acme-docs' });
  const text = { object: 'text', leaves: [{ object: 'leaf', text: 'Write short sentences.', marks: [] }] };
  const nodes = [{ object: 'block', type: 'paragraph', nodes: [text] }];
  const instructions = { object: 'document', data: { schemaVersion: 8 }, nodes };
  await say('updateOrganizationAgentInstructions', {}, { instructions });
  await say('getOrganizationAgentInstructions');
  await say('setUserAsSSOMemberForOrganization', { userId: reader.userId });
  await say('joinOrganization');
  await reader.post(`/v1/orgs/${organizationId}/ping`);
  await say('updateOrganizationMemberLastSeenAt');
  await say('getOrganizationKeys');
  await say('rotateOrganizationKeys', {}, { revokeFormer: false });
  await say('listMembersInOrganizationById', {}, undefined, '?role=read&sort=joinedAt&order=asc&limit=2');
  await say('getMemberInOrganizationById', { userId: reader.userId });
  await say('updateMemberInOrganizationById', { userId: reader.userId }, { role: 'comment' });
  await say('updateMemberInOrganizationById', { userId: reader.userId }, { role: 'read' });
  await say('listSpacesForOrganizationMember', { userId: reader.userId }, undefined, '?limit=1');
  await teams();
  await invitations();
}

async function teams(): Promise<void> {
  const { id: teamId } = await say('createOrganizationTeam', {}, { title: 'Writers', members: [reader.userId] });
  await say('listTeamsInOrganizationById', {}, undefined, '?title=writ');
  await say('getTeamInOrganizationById', { teamId });
  await say('updateTeamInOrganizationById', { teamId }, { title: 'Technical writers' });
  await say('addMemberToOrganizationTeamById', { teamId, userId: reader.userId }, { role: 'owner' });
  await say('updateMembersInOrganizationTeam', { teamId }, { add: [admin.userId], remove: [] });
  await say('listTeamMembersInOrganizationById', { teamId }, undefined, '?limit=1');
  await say('listTeamsForOrganizationMember', { userId: reader.userId });
  await say('deleteMemberFromOrganizationTeamById', { teamId, userId: reader.userId });
  await say('removeTeamFromOrganizationById', { teamId });
}

async function invitations(): Promise<void> {
  const emails = ['hedy@acme.example', { email: 'alan@acme.example', role: 'edit' }];
  await say('inviteUsersToOrganization', {}, { emails, role: 'read' });
  const { items } = await say('listOrganizationEmailInvites');
  const [first, second] = items;
  const secret = first.url.split('.').at(-1);
  // By a caller without a token, whose account is created.
  const accepted = await anonymous.post(`/v1/invites/${first.id}/accept`, { secret, displayName: 'Alan' });
  const request = { secret: 'the part of the link after the dot', displayName: 'Alan' };
  recorded.operations.acceptInvite = { request, response: accepted.body };
  const { user: userId } = accepted.body;
  await say('deleteOrganizationEmailInvite', { inviteId: second.id });
  await say('removeMemberFromOrganizationById', { userId });
  const { id: inviteId } = await say('createOrganizationInvite', {}, { role: 'read' });
  await say('listOrganizationInviteLinks', {}, undefined, '?limit=1');
  await say('getOrganizationInviteLink', { inviteId });
  await say('updateOrganizationInviteById', { inviteId }, { role: 'comment' });
  await say('joinOrganizationWithInvite', { inviteId });
  await say('deleteOrganizationInviteById', { inviteId });
}

async function places(): Promise<{ collectionId: string; spaceId: string }> {
  await say('listOrganizationsForAuthenticatedUser');
  await say('createOrganization', {}, { title: 'Acme Labs', emailDomains: ['labs.acme.example'] });
  await say(
    'updateOrganizationById',
    {},
    { hostname: 'acme-docs', defaultRole: 'read', emailDomains: ['acme.example'] },
  );
  await say('getOrganizationById');
  await say('verifyEmailDomain', { emailDomain: 'acme.example' });
  const collection = await say('createCollection', {}, { title: 'Handbooks', description: 'What we know' });
  const collectionId = collection.id;
  await say('createCollection', {}, { title: 'Internal', parent: collectionId });
  await say('listCollectionsInOrganizationById');
  await say('getCollectionById', { collectionId });
  await say('listCollectionsInCollectionById', { collectionId });
  const space = await say(
    'createSpace',
    {},
    { title: 'Product guide', parent: collectionId, empty: true, language: 'en' },
  );
  const spaceId = space.id;
  const rules = [{ rule: 'require_specific_reviewers', users: [admin.userId] }];
  await say('updateSpaceById', { spaceId }, { emoji: '1f4d8', mergeRules: { type: 'rules', rules } });
  await say('getSpaceById', { spaceId });
  await say('listSpacesInOrganizationById');
  await say('listSpacesInCollectionById', { collectionId });
  const copy = await say('duplicateSpace', { spaceId });
  await say('deleteSpaceById', { spaceId: copy.id });
  await say('restoreSpace', { spaceId: copy.id });
  await say('moveSpace', { spaceId: copy.id }, { position: { before: { type: 'space', space: spaceId } } });
  await shared({ spaceId, collectionId });
  const other = await say('createCollection', {}, { title: 'Archive' });
  await say('updateCollectionById', { collectionId: other.id }, { title: 'Archived', defaultLevel: 'read' });
  await say('moveCollection', { collectionId: other.id }, { parent: collectionId });
  const labs = await admin.post('/v1/orgs', { title: 'Acme Press' });
  await say('transferCollection', { collectionId: other.id }, { organization: labs.body.id });
  await say('transferSpace', { spaceId: copy.id }, { organization: labs.body.id });
  await say('deleteCollectionById', { collectionId: other.id });
  return { collectionId, spaceId };
}

/** Roles on a space, on a collection and on a site, of a user and of a team. */
async function shared(given: { spaceId: string; collectionId: string }): Promise<void> {
  const ofOrganization = `/v1/orgs/${organizationId}`;
  const { id: siteId } = (await admin.post(`${ofOrganization}/sites`, { title: 'Shared' })).body;
  const { id: teamId } = (await admin.put(`${ofOrganization}/teams`, { title: 'Shared', members: [reader.userId] }))
    .body;
  const ids = { ...given, organizationId, siteId };
  for (const target of ['Space', 'Collection', 'Site']) {
    await say(`inviteTo${target}`, ids, { users: [reader.userId], teams: [teamId], role: 'comment' });
    await say(`listPermissionsAggregateIn${target}`, ids);
    for (const grantee of ['User', 'Team']) {
      const named = { ...ids, userId: reader.userId, teamId };
      await say(`list${grantee}PermissionsIn${target}`, named);
      await say(`update${grantee}PermissionIn${target}`, named, { role: 'edit' });
      await say(`remove${grantee}From${target}`, named);
    }
  }
}

async function content(spaceId: string): Promise<void> {
  const upload = await say('createUpload', {}, await archive(), '?name=guide.zip');
  await say('importContent', { spaceId }, { url: upload.url, source: 'zip' });
  const changes = [
    { operation: 'insert_page', ref: 'faq', type: 'document', title: 'Questions', document: { markdown: 'Why?\n' } },
    { operation: 'move_page', page: 'faq', at: 1 },
    { operation: 'insert_files', files: [{ name: 'terms.txt', base64: 'QmUga2luZC4K' }] },
    { operation: 'insert_reusable_content', ref: 'note', title: 'Note', document: { markdown: 'Mind the gap.\n' } },
    { operation: 'set_variables', variables: { version: '1.2' } },
  ];
  const { revision: revisionId } = await say('updateSpaceContent', { spaceId }, { changes });
  const { pages } = await say('listPages', { spaceId });
  const [{ id: pageId, path, documentId }] = pages;
  const { items } = await say('listFiles', { spaceId });
  const { items: contents } = await say('listReusableContents', { spaceId });
  const ids = { spaceId, revisionId, pageId, path, fileId: items[0].id, reusableContentId: contents[0].id };
  await say('applyTemplateToSpace', { spaceId }, { id: 'changelog', params: { contentRefs: {} } });
  await say('getCurrentRevision', ids);
  await say('getRevisionById', ids);
  await say('getSpacePDF', ids);
  await say('listRevisionsInSpace', ids, undefined, '?limit=2');
  await say('getRevisionSemanticChanges', ids, undefined, '?limit=2');
  await say('listPagesInRevisionById', ids);
  await say('getPageById', ids);
  await say('getPageInRevisionById', ids, undefined, '?format=markdown');
  await say('getPageByPath', ids, undefined, '?format=markdown');
  await say('getPageInRevisionByPath', ids);
  await say('getPageDocumentInRevisionById', ids);
  await say('getPageText', ids, undefined, '?from=1&to=3');
  await say('getPageTextInRevision', ids, undefined, '?from=1&to=1');
  await say('getPageOutline', ids);
  await say('getPageOutlineInRevision', ids, undefined, '?from=1&to=1');
  const metaLinks = { canonical: { kind: 'url', url: 'https://acme.example/start' } };
  await say('updateSpaceContent', { spaceId }, { changes: [{ operation: 'update_page', page: pageId, metaLinks }] });
  await say('listSpacePageMetaLinks', ids);
  await say('listRevisionPageMetaLinks', ids);
  await say('getDocumentById', { spaceId, documentId });
  const source = { type: 'builtin:translation', props: { space: spaceId, document: documentId } };
  await say('getComputedDocument', ids, { source, seed: '' });
  await say('getEmbedByUrl', {}, undefined, `?url=${encodeURIComponent(`${url}/openapi.json`)}`);
  await say('getEmbedByUrlInSpace', ids, undefined, `?url=${encodeURIComponent(`${url}/openapi.json`)}`);
  await say('listFilesInRevisionById', ids);
  await say('getFileById', ids);
  await say('searchSpaceContent', ids, undefined, '?query=welcome');
  await say('searchOrganizationContent', {}, undefined, '?query=welcome&limit=1');
  await say('getFileInRevisionById', ids);
  await say('getReusableContentById', ids);
  await say('listReusableContentsInRevisionById', ids);
  await say('getReusableContentInRevisionById', ids);
  await say('getReusableContentDocumentInRevisionById', ids);
  await discussion('Space', ids);
  await links(ids);
  await background(spaceId);
  await proposal(ids);
}

async function links(ids: Record<'spaceId' | 'pageId' | 'fileId', string>): Promise<void> {
  const markdown = `See [the settings](page:${ids.pageId}) and [our site](https://acme.example/).\n\n![Map](file:${ids.fileId})\n`;
  const changes = [{ operation: 'insert_page', type: 'document', title: 'Where to look', document: { markdown } }];
  await say('updateSpaceContent', ids, { changes });
  await say('listSpaceLinks', ids, undefined, '?limit=1');
  await say('listPageLinksInSpace', ids, undefined, '?status=ok&limit=1');
  await say('listSpacePageBacklinks', ids);
  await say('listSpaceFileBacklinks', ids, undefined, '?limit=1');
}

async function background(spaceId: string): Promise<void> {
  const upload = await say('createUpload', {}, await archive(), '?name=guide.zip');
  const source = { type: 'file', files: [upload.id] };
  const start = (target: object) => say('startImportRun', {}, { source, target });
  const { id: importRunId } = await start({ space: spaceId });
  const run = () => say('getImportRun', { importRunId });
  await expect.poll(async () => (await run()).status, { timeout: 25_000, interval: 200 }).toBe('completed');
  await say('listImportRuns', {}, undefined, '?limit=2');
  // A website that never responds, so that the run has started and is not completed.
  const silent = await makeReceiver();
  silent.answer = () => {};
  const runs = `/v1/org/${organizationId}/imports`;
  const website = { type: 'website', url: silent.url };
  const { body: endless } = await admin.post(runs, { source: website, target: { space: spaceId } });
  const startedAt = async () => (await admin.get(`${runs}/${endless.id}`)).body.startedAt;
  await expect.poll(startedAt).toBeDefined();
  const cancelled = await say('cancelImportRun', { importRunId: endless.id });
  addresses[silent.url] = 'https://old.acme.example';
  expect(cancelled.status).toBe('cancelled');
  await gitSync(spaceId, silent.url);
}

async function gitSync(spaceId: string, silentUrl: string): Promise<void> {
  const server = await startGitServer();
  const repository = await server.repository('docs');
  await repository.commit({ 'README.md': '# Start\n' });
  addresses[repository.url] = 'https://github.com/acme/docs.git';
  const branch = { url: repository.url, ref: 'refs/heads/main' };
  const ended = async () => {
    const { body } = await admin.get(`/v1/spaces/${spaceId}/git/runs`);
    await expect
      .poll(async () => (await admin.get(`/v1/spaces/${spaceId}/git/runs/${body.items[0].id}`)).body.status, {
        timeout: 60_000,
        interval: 200,
      })
      .toBe('completed');
    return body.items[0].id;
  };
  await say('exportToGitRepository', { spaceId }, { ...branch, ref: 'refs/heads/docs', commitMessage: 'Export' });
  await ended();
  await say('importGitRepository', { spaceId }, { ...branch, ref: 'refs/heads/docs', force: true });
  const gitRunId = await ended();
  await say('getSpaceGitInfo', { spaceId });
  await say('listGitRuns', { spaceId }, undefined, '?limit=1');
  await say('getGitRun', { spaceId, gitRunId });
  await admin.post(`/v1/spaces/${spaceId}/git/import`, { url: `${silentUrl}/docs.git`, ref: branch.ref });
  const newest = async () => (await admin.get(`/v1/spaces/${spaceId}/git/runs?limit=1`)).body.items[0];
  // Runs that have not started yet have fewer members.
  await expect.poll(async () => (await newest()).startedAt, { timeout: 20_000 }).toBeDefined();
  await say('cancelGitRun', { spaceId, gitRunId: (await newest()).id });
  await say('deleteLegacyGitInstallation', { spaceId });
  await gitConnection(spaceId, branch, silentUrl);
  await server.close();
}

async function gitConnection(spaceId: string, branch: { url: string; ref: string }, silentUrl: string): Promise<void> {
  const settings = { ...branch, commitMessage: 'docs: {subject} (#{number})', initialSide: 'branch' };
  await say('createGitConnection', { spaceId }, settings);
  await say('getGitConnection', { spaceId });
  await say('previewGitConnection', { spaceId }, { side: 'branch' });
  await say('checkGitConnection', { spaceId });
  // So that no run replaces the content that the next examples refer to.
  await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { url: `${silentUrl}/docs.git` });
  await say('startGitConnection', { spaceId }, { side: 'branch' });
  await say('syncGitConnection', { spaceId });
  await say('updateGitConnection', { spaceId }, { paused: true });
  await say('rotateGitHookSecret', { spaceId });
  await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { url: 'git@github.com:acme/docs.git' });
  await say('rotateGitSshKey', { spaceId });
  await say('deleteGitConnection', { spaceId });
}

async function proposal(
  ids: Record<'spaceId' | 'pageId' | 'path' | 'fileId' | 'reusableContentId', string>,
): Promise<void> {
  const { id: changeRequestId } = await say('createChangeRequest', ids, { subject: 'Better words' });
  const given = { ...ids, changeRequestId };
  const changes = [{ operation: 'update_page', page: ids.pageId, title: 'First steps' }];
  await say('updateChangeRequestContent', given, { changes }, '?compat=false');
  await say('getRevisionOfChangeRequestById', given);
  await say('getChangeRequestChanges', given);
  await say('listPagesInChangeRequest', given);
  await say('getPageInChangeRequestById', given, undefined, '?format=markdown');
  await say('getPageInChangeRequestByPath', given);
  await say('getPageTextInChangeRequest', given, undefined, '?from=1&to=1');
  await say('getPageOutlineInChangeRequest', given, undefined, '?from=1&to=1');
  await say('listFilesInChangeRequestById', given);
  await say('listChangeRequestLinks', given, undefined, '?limit=1');
  await say('listPageLinksInChangeRequest', given, undefined, '?limit=1');
  await say('listChangeRequestPageBacklinks', given);
  await say('listChangeRequestFileBacklinks', given, undefined, '?limit=1');
  await say('getFileInChangeRequestById', given);
  await say('listReusableContentsInChangeRequest', given);
  await say('getReusableContentInChangeRequestById', given);
  const upload = await say('createUpload', {}, await archive(), '?name=guide.zip');
  await say('importContentInChangeRequest', given, { url: upload.url, source: 'zip' });
  await say('updateChangeRequestById', given, {
    status: 'draft',
    description: { markdown: 'Says it in fewer words.' },
  });
  await say('getChangeRequestById', given);
  await say('listChangeRequestPageMetaLinks', given);
  await say('getChangeRequestPDF', given);
  await say('getContributorsByChangeRequestId', given);
  await reviewed(given);
  await discussion('ChangeRequest', given);
  await say('listChangeRequestsForSpace', given, undefined, '?status=draft');
  await say('listChangeRequestsForOrganization', given, undefined, '?status=draft');
  await merged(given);
}

async function reviewed(given: { spaceId: string; changeRequestId: string }): Promise<void> {
  const asked = { users: [reader.userId], subject: 'Better words' };
  await say('requestReviewersForChangeRequest', given, asked);
  await say('getRequestedReviewersByChangeRequestId', given);
  await say('removeRequestedReviewerFromChangeRequest', { ...given, userId: reader.userId });
  const { id: reviewId } = await say('submitChangeRequestReview', given, { status: 'changes-requested' });
  await say('getReviewsByChangeRequestId', given);
  await say('getChangeRequestReviewById', { ...given, reviewId });
}

/** What is said on a space or a change request, whose operations are called alike. */
async function discussion(of: 'Space' | 'ChangeRequest', ids: Record<string, string>): Promise<void> {
  const body = { markdown: 'Is this **still** so?' };
  const { id: commentId } = await say(`postCommentIn${of}`, ids, { page: ids.pageId, body });
  const given = { ...ids, commentId };
  const answer = { body: { markdown: 'Yes.' } };
  const { id: commentReplyId } = await say(`postCommentReplyIn${of}`, given, answer);
  const reply = { ...given, commentReplyId };
  await say(`updateCommentReplyIn${of}`, reply, { body: { markdown: 'Yes, it is.' }, addedReactions: ['🎉'] });
  await say(`getCommentReplyIn${of}`, reply);
  await say(`listCommentRepliesIn${of}`, given);
  await say(`updateCommentIn${of}`, given, { resolved: true, addedReactions: ['👍'] });
  await say(`getCommentIn${of}`, given, undefined, '?format=document');
  await say(`listCommentsIn${of}`, ids, undefined, '?status=resolved&order=asc');
  await say(`listCommentersIn${of}`, ids);
  await say(`deleteCommentReplyIn${of}`, reply);
  await say(`deleteCommentIn${of}`, given);
}

async function merged(given: { spaceId: string; pageId: string; changeRequestId: string }): Promise<void> {
  const space = `/v1/spaces/${given.spaceId}`;
  const changes = [{ operation: 'update_page', page: given.pageId, title: 'Before you begin' }];
  await admin.post(`${space}/content`, { changes });
  const { items } = await say('listChangeRequestConflicts', given);
  const resolutions = items.map(({ id }: { id: string }) => ({ conflictId: id, choice: 'ours' }));
  await say('resolveChangeRequestConflicts', given, { resolutions });
  await say('updateChangeRequest', given);
  await admin.patch(space, { mergeRules: { type: 'none' } });
  await say('mergeChangeRequest', given);
}

async function specifications(): Promise<void> {
  const pets = { get: { operationId: 'listPets', summary: 'List pets', tags: ['pets'], responses: {} } };
  const components = { schemas: { Pet: { type: 'object', properties: { name: { type: 'string' } } } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1.0.0' },
    paths: { '/pets': pets },
    components,
  };
  const source = { text: JSON.stringify(document) };
  await say('createOpenAPISpec', {}, { slug: 'pets', source });
  const given = { specSlug: 'pets', versionId: 'latest' };
  const state = async () => (await say('getOpenAPISpecBySlug', given)).processingState;
  await expect.poll(state, { timeout: 25_000, interval: 100 }).toBe('complete');
  await say('createOrUpdateOpenAPISpecBySlug', given, { source });
  await expect.poll(state, { timeout: 25_000, interval: 100 }).toBe('complete');
  const lintState = async () => (await say('getLatestOpenAPISpecVersion', given)).lintState;
  await expect.poll(lintState, { timeout: 25_000, interval: 100 }).toBe('complete');
  await say('updateOpenAPISpecBySlug', given, { visibility: 'public' });
  await say('listOpenAPISpecs');
  const { id: versionId } = await say('getLatestOpenAPISpecVersion', given);
  const version = { ...given, versionId };
  await say('listOpenAPISpecBacklinks', given);
  await say('listOpenAPISpecVersions', given);
  await say('getLatestOpenAPISpecVersionContent', given);
  await say('getLatestOpenAPISpecVersionContentRaw', given);
  await say('getOpenAPISpecVersionById', version);
  await say('getOpenAPISpecVersionContentById', version);
  await say('getOpenAPISpecVersionContentRawById', version);
  await say('listOpenAPIOperations', version);
  await say('getOpenAPIOperation', version, undefined, '?path=/pets&method=get');
  await say('listOpenAPILintProblems', version);
  await say('listOpenAPISchemas', version);
  await say('listOpenAPISpecChanges', version);
  await say('getOpenAPISpecChangelog', version);
  await say('deleteOpenAPISpecBySlug', given);
}

/** A translation with a review, which goes through files and back. */
async function exchanged(): Promise<void> {
  const { body: source } = await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Manual', empty: true });
  const insertPage = { title: 'Doors', document: { markdown: 'Open the door.' } };
  const write = (spaceId: string, change: object) =>
    admin.mutate('updateSpaceContent', { spaceId, changes: [change] }, 'pageIds');
  const [pageId] = (await write(source.id, { insertPage })).pageIds;
  const made = await admin.post(`/v1/orgs/${organizationId}/translations`, {
    source: { space: source.id, language: 'en' },
    language: 'de',
  });
  const path = `/v1/orgs/${organizationId}/translations/${made.body.id}`;
  const until = (runs: number) =>
    expect.poll(async () => (await admin.get(path)).body.stats.runs, { timeout: 25_000, interval: 100 }).toBe(runs);
  await until(1);
  const translatedId = (await admin.get(path)).body.result.space;
  await write(translatedId, { updatePage: { pageId, document: { markdown: 'Öffnen Sie die Tür.' } } });
  await admin.post(`${path}/run`);
  await until(2);
  await write(source.id, { updatePage: { pageId, document: { markdown: 'Open all doors.' } } });
  await admin.post(`${path}/run`);
  await until(3);
  const given = { translationId: made.body.id };
  const [review] = (await say('listTranslationReviews', given)).items;
  const ids = { ...given, translationReviewId: review.id };
  await say('getTranslationReview', ids);
  await say('resolveTranslationReview', ids, { resolution: 'edit', markdown: 'Öffnen Sie alle Türen.' });
  const { content } = await say('exportTranslation', given, undefined, '?format=xliff');
  const upload = async (text: string) =>
    (
      await admin.send('POST', `/v1/orgs/${organizationId}/uploads`, Buffer.from(text), {
        'content-type': 'application/octet-stream',
      })
    ).body.id;
  const worked = content.replace('Öffnen Sie alle Türen.', 'Alle Türen öffnen.');
  await say('importTranslationEdits', given, { upload: await upload(worked) });
  const memory = (await admin.get(`${path}/export?format=tmx`)).body.content;
  await say('importTranslationMemory', given, { upload: await upload(memory) });
  await say('purgeTranslationMemory', given);
}

async function translations(spaceId: string): Promise<void> {
  const source = { space: spaceId, language: 'en' };
  const { id: translationId } = await say('createTranslation', {}, { source, language: 'de' });
  const given = { translationId };
  const status = async () => (await say('getTranslation', given)).status;
  await expect.poll(status, { timeout: 25_000, interval: 100 }).toBe('completed');
  const document = { object: 'document', data: { schemaVersion: 8 }, nodes: [] };
  await say('updateTranslation', given, { instructions: document });
  await say('listTranslations');
  await say('runTranslation', given);
  await say('cancelTranslationRun', given);
  await say('deleteTranslationReview', { ...given, translationReviewId: newId('translationreview') });
  await exchanged();
  await say('listUntranslatedPages', given);
  await say('deleteTranslation', given);
  const operations = [{ type: 'insert', translations: { en: 'space', de: 'Bereich' } }];
  await say('updateGlossaryEntries', {}, { operations });
  const { items } = await say('listGlossaryEntries');
  await say('getGlossaryEntry', { glossaryEntryId: items[0].id });
  await say('setTranslationProvider', {}, { kind: 'openai', model: 'gpt-5-mini', characterLimit: 1_000_000 });
  await say('getTranslationProvider');
  await say('resetTranslationProvider');
}

async function questions(spaceId: string): Promise<void> {
  const ask = (id: string, body: string) => ({ id, parts: [{ type: 'message', role: 'user', body }] });
  await admin.post(`/v1/orgs/${organizationId}/conversations`, [ask('ticket-2', 'How can I invite a new colleague?')]);
  await say(
    'ingestConversation',
    {},
    {
      id: 'ticket-1',
      subject: 'Invite a colleague',
      metadata: {
        url: 'https://desk.acme.example/tickets/1',
        attributes: { plan: 'pro' },
        createdAt: '2026-03-01T10:00:00.000Z',
      },
      parts: [
        { type: 'message', role: 'user', body: 'How do I invite a colleague? My address is jane@acme.example.' },
        { type: 'message', role: 'team-member', body: 'Open the settings of the organization.' },
      ],
    },
  );
  await grouped({ app, organizationId }, true);
  const { items } = await say('listConversationsIssues', {}, undefined, '?limit=1');
  const [{ issue }] = items;
  const ids = { issueId: issue.id, conversationId: issue.conversation, clusterId: issue.cluster };
  await say('listConversationsIssuesClusters');
  await say('getConversationsIssuesCluster', ids);
  await admin.post(`/v1/spaces/${spaceId}/change-requests`, { conversationsIssuesCluster: issue.cluster });
  await say('listChangeRequestsForIssuesCluster', ids);
  const invite = {
    operation: 'insert_page',
    title: 'Invite a colleague',
    document: { markdown: 'Open the settings.' },
  };
  await admin.post(`/v1/spaces/${spaceId}/content`, { changes: [invite] });
  await say('listPagesForIssuesCluster', ids);
  await say('getIssuesGrouping');
  await say('getConversationIssueById', ids);
  await say('listConversations', {}, undefined, '?limit=1');
  await say('getConversationById', ids);
  await say('deleteConversationById', ids);
  await say('purgeConversations', { source: `integration:api:${admin.userId}` });
}

async function news(receiver: string): Promise<void> {
  const { id: webhookId } = await say(
    'createWebhook',
    {},
    { url: receiver, label: 'Search index', kinds: ['space_created'] },
  );
  await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Announcements' });
  await say('listWebhooks');
  await say('getWebhookById', { webhookId });
  await say('updateWebhookById', { webhookId }, { label: 'Index' });
  const first = async () => (await say('listWebhookDeliveries', { webhookId })).items[0];
  await expect.poll(async () => (await first())?.status, { timeout: 25_000, interval: 100 }).toBe('succeeded');
  await say('redeliverWebhookEvent', { webhookId, deliveryId: (await first()).id });
  await say('deleteWebhookById', { webhookId });
  await settled(app.services.db);
  await say('listOrganizationEvents', {}, undefined, '?limit=2');
  await say('listOrganizationAuditEvents', {}, undefined, '?limit=2');
  await say('listJobQueues');
  await say('listDeadJobs');
  await say('retryDeadJobs', {}, { jobs: ['01932c07-4c7e-7000-8000-000000000000'] });
}

async function apiErrors(spaceId: string): Promise<void> {
  const space = `/v1/spaces/${spaceId}`;
  await refused('BadRequest', 400, admin.patch(space, { title: 'x'.repeat(51) }));
  await refused('Unauthenticated', 401, anonymous.get('/v1/user'));
  await refused('Forbidden', 403, reader.patch(space, { title: 'Mine' }));
  await refused('NotFound', 404, admin.get('/v1/spaces/space_01jd0000000000000000000099'));
  const keyed = (title: string) => admin.send('PATCH', space, { title }, { 'idempotency-key': 'rename-1' });
  await keyed('Guide');
  await refused('Conflict', 409, keyed('Another guide'));
  await refused('PreconditionFailed', 412, admin.send('PATCH', space, { title: 'Late' }, { 'if-match': '"0.0"' }));
  const tooLarge = `{"title":"${'x'.repeat(11_000_000)}"}`;
  await refused('PayloadTooLarge', 413, admin.send('PATCH', space, tooLarge));
  await refused('UnsupportedMediaType', 415, admin.send('PATCH', space, 'title=x', { 'content-type': 'text/plain' }));
  await hurried.admin.get('/v1/user');
  await refused('TooManyRequests', 429, hurried.admin.get('/v1/user'));
}

async function publishing(spaceId: string): Promise<void> {
  const { id: siteId } = await say('createSite', {}, { title: 'Acme documentation', spaces: [spaceId] });
  const ids = { siteId };
  await say('listSites');
  await say('updateSiteById', ids, { basename: 'documentation', visibility: 'unlisted' });
  await say('getSiteById', ids);
  const siteSpace = await say('addSpaceToSite', ids, { spaceId });
  const ofSpace = { ...ids, siteSpaceId: siteSpace.id };
  await say('listSiteSpaces', ids);
  await say('getSiteSpaceById', ofSpace);
  await say('updateSiteSpaceById', ofSpace, { path: 'v2', condition: 'visitor.claims.isBeta == true' });
  await say('moveSiteSpace', ofSpace, {
    position: { before: { type: 'site-space', siteSpace: (await say('getSiteStructure', ids)).structure[0].id } },
  });
  const copy = await say('duplicateSiteSpace', ofSpace);
  await say('deleteSiteSpaceById', { ...ids, siteSpaceId: copy.id });
  const section = await say('addSectionToSite', ids, { spaceId, title: 'Reference', icon: 'book' });
  const ofSection = { ...ids, siteSectionId: section.id };
  const { items } = await say('listSiteSections', ids);
  await say('getSiteSectionById', ofSection);
  await say('updateSiteSectionById', ofSection, { description: 'All commands' });
  const first = { type: 'site-section', siteSection: items[0].id };
  await say('moveSiteSection', ofSection, { position: { before: first } });
  const group = await say('addSectionGroupToSite', ids, { title: 'More' });
  const ofGroup = { ...ids, siteSectionGroupId: group.id };
  await say('addSectionToGroup', ofGroup, { sectionId: section.id });
  await say('listSiteSectionGroups', ids);
  await say('getSiteSectionGroupById', ofGroup);
  await say('updateSiteSectionGroupById', ofGroup, { icon: 'folder' });
  await say('moveSiteSectionGroup', ofGroup, { position: { before: { type: 'site-section', id: items[0].id } } });
  await say('removeSectionFromGroup', { ...ofGroup, siteSectionId: section.id });
  const link = await say('addExternalLinkToSite', ids, { title: 'Status', url: 'https://status.acme.example/' });
  const ofLink = { ...ids, siteExternalLinkId: link.id };
  await say('getSiteExternalLinkById', ofLink);
  await say('updateSiteExternalLinkById', ofLink, { title: 'Service status' });
  await say('sortSiteStructure', ids, {
    item: { type: 'site-external-link', id: link.id },
    position: { before: { type: 'site-section', id: section.id } },
  });
  await customizing(ids, siteSpace.id);
  await redirecting(ids);
  await resolving(ids);
  await admitting(ids);
  await say('deleteSiteExternalLinkById', ofLink);
  await say('deleteSiteSectionGroupById', ofGroup);
  await say('deleteSiteSectionById', ofSection);
  await say('unpublishSite', ids);
  await say('deleteSiteById', ids);
}

async function redirecting(ids: Record<string, string>): Promise<void> {
  const external = { kind: 'external', url: 'https://acme.example/blog' };
  const redirect = await say('createSiteRedirect', ids, {
    source: '/blog/*',
    captureWildcard: true,
    destination: external,
  });
  const ofRedirect = { ...ids, siteRedirectId: redirect.id };
  await say('listSiteRedirects', ids);
  await say('getSiteRedirectById', ofRedirect);
  await say('getSiteRedirectBySource', ids, undefined, '?source=/blog/2026');
  await say('updateSiteRedirectById', ofRedirect, { permanent: true });
  await say('bulkUpsertSiteRedirects', ids, { redirects: [{ source: '/news', destination: external }] });
  await say('importSiteRedirects', ids, { csv: 'source,destination\n/old,/\n/status,https://status.acme.example/' });
  await say('deleteSiteRedirectById', ofRedirect);
}

/** What renderers call, and what members see of visitors. */
async function resolving(ids: Record<string, string>): Promise<void> {
  const hostname = 'docs.acme.example.com';
  await say('updateSiteById', ids, { hostname });
  const { body: site } = await admin.get(`/v1/orgs/${organizationId}/sites/${ids.siteId}`);
  const url = site.urls.published;
  await say('resolvePublishedContentByUrl', {}, { url, visitor: { type: 'human' } });
  await say('getPublishedContentByUrl', {}, undefined, `?url=${encodeURIComponent(url)}`);
  await say('getContentByUrl', {}, undefined, `?url=${encodeURIComponent(url)}`);
  await say('searchSiteContent', ids, { query: 'start', mode: 'all' });
  await say('listSiteIntegrationScripts', ids);
  const events = [{ type: 'page_view', session: { referrer: 'https://search.example/' }, location: { page: null } }];
  await say('trackEventsInSiteById', ids, { events });
  await say('getSiteInsights', ids);
  await say('getCustomHostname', { hostname });
  await say('dnsRevalidateCustomHostname', { hostname });
  await say('removeCustomHostname', { hostname });
}

async function admitting(ids: Record<string, string>): Promise<void> {
  const { id: shareLinkId } = await say('createSiteShareLink', ids, { name: 'Press' });
  const ofLink = { ...ids, shareLinkId };
  await say('listSiteShareLinks', ids);
  await say('getSiteShareLinkById', ofLink);
  await say('updateSiteShareLinkById', ofLink, { active: false });
  await say('deleteSiteShareLinkById', ofLink);
  const fallbackURL = 'https://login.acme.example/documentation';
  await say('updateSitePublishingAuthById', ids, { backend: 'custom', fallbackURL });
  await say('getSitePublishingAuthById', ids);
  await say('regenerateSitePublishingAuthById', ids);
  await say('getSitePublishingPreviewById', ids, undefined, '?target=setup');
  const isBeta = { type: 'boolean', description: 'Takes part in the beta.' };
  const jsonSchema = { type: 'object', properties: { isBeta }, additionalProperties: false };
  await say('updateSiteAdaptiveSchema', ids, { jsonSchema });
  await say('getSiteAdaptiveSchema', ids);
  await say('listSiteAdaptiveTemplateConditions', ids);
}

async function customizing(ids: Record<string, string>, siteSpaceId: string): Promise<void> {
  const theme = { styling: { theme: 'muted' } };
  await say('getSiteCustomizationById', ids);
  await say('updateSiteCustomizationById', ids, theme);
  await say('overrideSiteSpaceCustomizationById', { ...ids, siteSpaceId }, theme);
  await say('getSiteSpaceCustomizationById', { ...ids, siteSpaceId });
  await say('deleteSiteSpaceCustomizationById', { ...ids, siteSpaceId });
  await say('publishSite', ids);
  await say('getPublishedContentSite', ids);
}

/** All sources of computed pages depend on what this service does not have yet, so that no answer can be shown. */
const REFUSING = ['getComputedRevision'];

/** What is sent and answered is no JSON. */
const BYTES = routes
  .filter(({ operation, about }) => !operation || about.isLines)
  .map(({ operationId }) => operationId);

test('every operation is called, except those that only transfer bytes', async () => {
  const receiver = await makeReceiver();
  const access = await watchAccess(databaseUrl);
  await people();
  await singleSignOn();
  const { spaceId } = await places();
  await members();
  await content(spaceId);
  await specifications();
  await translations(spaceId);
  await publishing(spaceId);
  await questions(spaceId);
  await news(receiver.url);
  await signIns();
  await apiErrors(spaceId);
  const called = Object.keys(recorded.operations);
  const all = routes.map(({ operationId }) => operationId);
  expect(all.filter((id) => !called.includes(id) && !BYTES.includes(id) && !REFUSING.includes(id))).toEqual([]);
  // Commands that change access lock it before anything else, so that they exclude the writes that it forbids.
  expect([...access.faults]).toEqual([]);
  expect(access.tables).toEqual(new Set(decisionColumns.keys()));
  addresses[receiver.url] = 'https://search.acme.example/hook';
  if (process.env.EXAMPLES === 'write') writeExamples(recorded, addresses);
}, 240_000);

test('the examples in the description are of the form that is sent and answered now (else: npm run examples)', () => {
  expect(membersOf(readExamples())).toEqual(membersOf(recorded));
});

test('the examples are as the description says', () => {
  const { operations } = description();
  for (const { operationId, requestBody, responses } of operations) {
    const bodies = [requestBody, ...Object.values(responses)].map((body) => body?.content?.['application/json']);
    for (const body of bodies) {
      if (body?.example === undefined) continue;
      expect([
        operationId,
        faultsBy(`example ${JSON.stringify(body.schema)}`, body.schema ?? {}, body.example),
      ]).toEqual([operationId, []]);
    }
  }
});
