import { z } from 'zod';
import { listTool } from '../tool.ts';
import { appUrls, organizationIdInput, userShape } from './names.ts';

export const listOrganizationsTool = listTool({
  name: 'listOrganizations',
  description: 'Lists the organizations that you are a member of. Begin here if you have no ID.',
  input: {},
  item: z.object({ id: z.string(), title: z.string(), urls: appUrls }),
  list: () => ['listOrganizationsForAuthenticatedUser', {}],
});

export const listSpacesTool = listTool({
  name: 'listSpaces',
  description: 'Lists the spaces of an organization that you can see. A space is a set of pages with its own history.',
  input: { organizationId: organizationIdInput },
  item: z.object({
    id: z.string(),
    title: z.string(),
    editMode: z.string().describe('`locked` if the content can only be changed by change requests.'),
    language: z.string().optional(),
    urls: appUrls,
  }),
  list: ({ organizationId }) => ['listSpacesInOrganizationById', { params: { organizationId } }],
});

export const listSitesTool = listTool({
  name: 'listSites',
  description: 'Lists the published sites of an organization that you can see.',
  input: { organizationId: organizationIdInput },
  item: z.object({
    id: z.string(),
    title: z.string(),
    published: z.boolean(),
    urls: appUrls.extend({ published: z.string().optional() }),
  }),
  list: ({ organizationId }) => ['listSites', { params: { organizationId } }],
});

export const listMembersTool = listTool({
  name: 'listMembers',
  description: 'Lists the members of an organization, to find the IDs of reviewers.',
  input: { organizationId: organizationIdInput },
  item: z.object({
    id: z.string().describe('ID of the user.'),
    user: userShape.optional(),
    role: z.string().nullable().optional(),
  }),
  list: ({ organizationId }) => ['listMembersInOrganizationById', { params: { organizationId } }],
});
