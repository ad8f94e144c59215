import { expect, test } from 'vitest';
import { routes } from '../../src/routes.ts';
import { world } from '../world.ts';
import { callMutation, callRoute } from './calls.ts';
import { furnish } from './furnish.ts';
import { findOperations } from './operations.ts';
import { versionExamples } from './version-examples.ts';

const { admin, organizationId } = await world();
const ids = await furnish(admin, organizationId);
const examples = await versionExamples(admin, ids);

/** Commands that change or end something without comparing a version, and why. */
const UNVERSIONED: Record<string, string> = {
  revokeApiToken: 'a token is never changed, only ended',
  cancelImportRun: 'a run that has ended refuses it, and else it is the same in every state',
  importSpaceFromGit: 'it begins something new, which merges with the content that is there by then',
  exportSpaceToGit: 'it begins something new, which exports the content that is there by then',
  cancelGitRun: 'a run that has ended refuses it, and else it is the same in every state',
  removeLegacyGitInstallation: 'a synchronization is there or not',
  updateGitConnection: 'its state changes with every run, and the last settings hold',
  rotateGitHookSecret: 'the last secret holds',
  rotateGitSshKey: 'the last key holds',
  deleteGitConnection: 'a connection is there or not',
  previewGitConnection: 'it begins something new, which changes nothing',
  syncGitConnection: 'the same in every state',
  checkGitConnection: 'it looks at the repository as it is by then',
  removeRequestedReviewer: 'a request is there or not, and has no states of its own',
  grantPermission: 'it sets the roles of many users and teams, whatever they were',
  updatePermission: 'a role on content has no version of its own, and setting it twice is setting it once',
  revokePermission: 'a granted role is there or not, and has no states of its own',
  ingestConversations: 'it is about many conversations, which the last call replaces',
  deleteConversation: 'the same in every state',
  purgeConversations: 'it is about many conversations',
  updateTranslation: 'progress of runs would change the version every second; the last instructions hold',
  runTranslation: 'the same in every state',
  cancelTranslationRun: 'the same in every state',
  deleteTranslation: 'a translation is there or not',
  deleteTranslationReview: 'a review is there or not',
  resolveTranslationReview: 'a review is there or not',
  importTranslationEdits: 'it changes a change request, whose operations merge',
  importTranslationMemory: 'its entries hold, whatever there was',
  purgeTranslationMemory: 'it deletes all entries, whatever there was',
  updateGlossaryEntries: 'it is about many entries',
  setTranslationProvider: 'it replaces all settings, whatever they were',
  resetTranslationProvider: 'it takes away all settings, in every state',
  retryDeadJobs: 'it is about many jobs',
  setBreakGlass: 'members have no version, and an operator says what the flag is to be',
  updateMember: 'a role is set, not edited: the last one holds',
  removeMember: 'a member is there or not',
  rotateOrganizationKeys: 'it makes a new key, whatever keys there are',
  joinOrganization: 'it is the same in every state',
  pingOrganization: 'it notes a time',
  updateTeam: 'a team has a name and nothing else to edit',
  deleteTeam: 'a team has a name and nothing else to edit',
  removeTeamMember: 'a membership is there or not',
  setTeamMembers: 'it names each membership that it changes',
  inviteMembers: 'it begins something new',
  deleteInvite: 'an invitation is never changed, only ended',
  acceptInvite: 'an invitation is never changed, only ended',
  joinWithLinkInvite: 'whoever joins does not change the link',
  resetSiteSpaceCustomization: 'it takes away all that differs, in every state',
  updateSitePublishingAuth: 'pages are set, not edited: the last ones hold',
  regenerateSitePublishingKey: 'it replaces the key, whichever it was',
  trackSiteEvents: 'it adds to counts',
  verifyCustomHostname: 'it looks at DNS records as they are by then',
  removeCustomHostname: 'a hostname is there or not',
  updateSiteAdaptiveSchema: 'a schema is set as a whole: the last one holds',
  removeSectionFromGroup: 'a section is in the group or not, and has no states of its own',
  sortSiteStructure: 'it names a sibling, and refuses one that is no longer there',
};

/** Begins something new: there is no version to expect of it. */
const isCreation = (name: string) => /^(create|add|post|submit|request|start|duplicate|redeliver)[A-Z]/.test(name);

const commands = (await findOperations()).map(({ operation }) => operation).filter(({ kind }) => kind === 'command');

test('every command on one resource honors If-Match, or is listed with a reason', () => {
  const others = commands.filter(
    ({ versioned, operationName }) => versioned === undefined && !isCreation(operationName),
  );
  expect(others.map(({ operationName }) => operationName).sort()).toEqual(Object.keys(UNVERSIONED).sort());
});

const versioned = commands.filter(({ versioned }) => versioned !== undefined);

test.each(versioned.map((operation) => [operation.operationName, operation] as const))(
  '%s refuses another version',
  async (_name, operation) => {
    const given = { ...examples[operation.operationName], expectedVersion: 'another' };
    const { body } = await callMutation(admin, operation, ids, given);
    expect(body.errors).toMatchObject([
      { message: expect.stringMatching(/^The resource has changed\./), extensions: { code: 'PRECONDITION_FAILED' } },
    ]);
  },
);

const changed = routes.filter(({ operation, path }) => operation?.versioned !== undefined && /:\w+$/.test(path));
const reads = changed.flatMap(({ path }) =>
  routes.filter((route) => route.method === 'GET' && route.path === path && route.operation),
);

test.each([...new Map(reads.map((route) => [route.path, route]))])(
  'GET %s returns the ETag that its changes expect',
  async (_path, route) => {
    const { status, headers } = await callRoute(admin, route, ids);
    expect([status, headers.get('etag')]).toEqual([
      200,
      expect.stringMatching(/^"[0-9a-f]{24}\.[0-9a-f]{16}(-\w+)?"$/),
    ]);
  },
);

test('everything that can be changed at a path can be read there', () => {
  const unread = changed.filter(({ path }) => !reads.some((route) => route.path === path));
  expect(unread.map(({ path }) => path)).toEqual([]);
});
