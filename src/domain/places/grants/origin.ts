import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { accessLoader, isVisible } from '../../people/access/index.ts';
import type { EffectiveRow } from './list-effective-permissions.ts';

const id = (what: string) => z.string().describe(`ID of the ${what}.`);

const type = <Kind extends string>(kind: Kind) =>
  z.literal(kind).describe('Kind of the resource that defines the role.');

const reason = z
  .enum(['member', 'team', 'default'])
  .describe('Whether the role is granted to the member, to a team of the member, or the default level.');

const team = z.string().optional().describe('ID of the team, if the reason is `team`.');

const defining = <Kind extends 'space' | 'collection' | 'site'>(kind: Kind) =>
  z.object({ type: type(kind), [kind]: id(kind), reason, team });

/** Origin of a member's role, in REST. */
export const originShape = z.union([
  z.object({ type: type('organization'), organization: id('organization') }),
  defining('site'),
  defining('space'),
  defining('collection'),
]);

const REASONS: Partial<Record<EffectiveRow['source'], z.infer<typeof reason>>> = {
  grant: 'member',
  'team-grant': 'team',
  'default-level': 'default',
};

/** Undefined if the caller cannot see what defines the role. */
export async function originOf(
  { kind, targetId, source, teamId, organizationId }: EffectiveRow,
  ctx: Context,
): Promise<object | undefined> {
  if (kind === null || targetId === null) return { type: 'organization', organization: organizationId };
  const access = await accessLoader[kind](ctx, targetId);
  if (!access || !isVisible(access)) return undefined;
  return { type: kind, [kind]: targetId, reason: REASONS[source], ...(teamId !== null && { team: teamId }) };
}
