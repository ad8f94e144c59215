import { z } from 'zod';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { createLinkInvite } from './create-link-invite.ts';
import { deleteLinkInvite } from './delete-link-invite.ts';
import { getLinkInvite } from './get-link-invite.ts';
import { joinWithLinkInvite } from './join-with-link-invite.ts';
import { listLinkInvites } from './list-link-invites.ts';
import { linkInvite } from './resources.ts';
import { updateLinkInvite } from './update-link-invite.ts';

const ORGANIZATION = '/v1/orgs/:organizationId';
const LINK_INVITES = `${ORGANIZATION}/link-invites`;
const LINK_INVITE = `${LINK_INVITES}/:inviteId`;
const TARGETS = { space: 'spaceId', collection: 'collectionId' } as const;

const joinedShape = z.object({}).meta({ id: 'JoinedOrganization', description: 'An empty object.' });

export const linkInviteRoutes: Route[] = [
  listRoute(LINK_INVITES, listLinkInvites, {
    operationId: 'listOrganizationInviteLinks',
    rename: TARGETS,
    response: resourceResponse(linkInvite),
  }),
  route('POST', LINK_INVITES, createLinkInvite, {
    operationId: 'createOrganizationInvite',
    status: 201,
    rename: TARGETS,
    response: resourceResponse(linkInvite),
  }),
  route('GET', LINK_INVITE, getLinkInvite, {
    operationId: 'getOrganizationInviteLink',
    response: resourceResponse(linkInvite),
  }),
  route('PATCH', LINK_INVITE, updateLinkInvite, {
    operationId: 'updateOrganizationInviteById',
    response: resourceResponse(linkInvite),
  }),
  route('DELETE', LINK_INVITE, deleteLinkInvite, { operationId: 'deleteOrganizationInviteById' }),
  route('POST', `${ORGANIZATION}/invites/:inviteId`, joinWithLinkInvite, {
    operationId: 'joinOrganizationWithInvite',
    shape: joinedShape,
    present: () => ({}),
  }),
];
