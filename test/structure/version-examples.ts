import type { Client } from '../client.ts';
import { aSpace, editBy, proposeBy } from '../content/editing/arrange.ts';
import type { Ids } from './furnish.ts';

/**
 * By operation, what its input needs besides ids and examples to be valid: other errors come before that of another
 * version. Makes what it refers to.
 */
export async function versionExamples(admin: Client, ids: Ids): Promise<Record<string, Record<string, unknown>>> {
  const organizationId = String(ids.org);
  const make = async (mutation: string, input: Record<string, unknown>, node: string): Promise<string> =>
    (await admin.mutate(mutation, input, `${node} { id }`))[node].id;
  const collectionId = await make('createCollection', { organizationId, title: 'Free' }, 'collection');
  const elsewhere = { organizationId: await make('createOrganization', { title: 'Elsewhere' }, 'organization') };
  const { spaceId } = await aSpace(admin, organizationId);
  const { spaceId: second } = await aSpace(admin, organizationId);
  const siteSpaceId = await make('addSiteSpace', { siteId: ids.site, spaceId: second }, 'siteSpace');
  const upload = { url: ids.upload, source: 'ZIP' };
  return {
    updateAgentInstructions: { instructions: { markdown: 'Be brief.' } },
    importSpaceContent: upload,
    importChangeRequestContent: upload,
    applySpaceTemplate: { templateId: 'docs' },
    submitReview: { status: 'CHANGES_REQUESTED' },
    updateUser: { displayName: 'Ada' },
    moveCollection: { parentId: collectionId },
    moveSpace: { parentId: collectionId },
    transferCollection: { collectionId, ...elsewhere },
    transferSpace: { spaceId, ...elsewhere },
    updateShareLink: { name: 'Radio' },
    upsertSiteRedirects: { redirects: [{ source: '/older', destination: { url: 'https://example.com/' } }] },
    moveSiteSpace: { siteSpaceId, position: { beforeId: ids.sitespace } },
    updateSiteCustomization: { appearance: {} },
    overrideSiteSpaceCustomization: { appearance: {} },
    resolveChangeRequestConflicts: await contradicting(admin, organizationId),
  };
}

/** A change request that renames a page which the space has renamed too, with a resolution. */
async function contradicting(admin: Client, organizationId: string): Promise<Record<string, unknown>> {
  const { spaceId, pageId } = await aSpace(admin, organizationId);
  const { changeRequest } = await admin.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  const renamed = (title: string) => [{ updatePage: { pageId, title } }];
  await proposeBy(changeRequest.id)(admin, renamed('Ours'));
  await editBy(spaceId)(admin, renamed('Theirs'));
  const { body } = await admin.get(`/v1/spaces/${spaceId}/change-requests/${changeRequest.id}/conflicts`);
  const resolutions = body.items.map(({ id }: { id: string }) => ({ conflictId: id, choice: 'OURS' }));
  return { changeRequestId: changeRequest.id, resolutions };
}
