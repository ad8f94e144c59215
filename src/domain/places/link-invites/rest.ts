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
const ALL = `${ORGANIZATION}/link-invites`;
const ONE = `${ALL}/:inviteId`;
const TARGETS = { space: 'spaceId', collection: 'collectionId' } as const;

const joinedShape = z.object({}).meta({ id: 'JoinedOrganization', description: 'An empty object.' });

export const linkInviteRoutes: Route[] = [
  listRoute(ALL, listLinkInvites, {
    operationId: 'listOrganizationInviteLinks',
    rename: TARGETS,
    response: resourceResponse(linkInvite),
  }),
  route('POST', ALL, createLinkInvite, {
    operationId: 'createOrganizationInvite',
    status: 201,
    rename: TARGETS,
    response: resourceResponse(linkInvite),
  }),
  route('GET', ONE, getLinkInvite, {
    operationId: 'getOrganizationInviteLink',
    response: resourceResponse(linkInvite),
  }),
  route('PATCH', ONE, updateLinkInvite, {
    operationId: 'updateOrganizationInviteById',
    response: resourceResponse(linkInvite),
  }),
  route('DELETE', ONE, deleteLinkInvite, { operationId: 'deleteOrganizationInviteById' }),
  route('POST', `${ORGANIZATION}/invites/:inviteId`, joinWithLinkInvite, {
    operationId: 'joinOrganizationWithInvite',
    shape: joinedShape,
    present: () => ({}),
  }),
];
