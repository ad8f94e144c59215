import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { rejectHiddenOrganization, teamFor, teamName } from './access.ts';

export const getTeam = query({
  name: 'getTeam',
  description: 'Gets a team of an organization. Guests only see the teams that they belong to.',
  input: z.object(teamName),
  authorize: (ctx, { organizationId }) => rejectHiddenOrganization(ctx, organizationId),
  run: teamFor,
});
