import { reachOf, ssoOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { recordAccountEvent } from '../../people/access/index.ts';
import { loadOrganization } from '../../people/organizations/index.ts';
import { loadSpace } from '../../places/spaces/index.ts';

/**
 * Records the call of a tool before it runs, so that failed calls are audited as well. The event is of the organization
 * that the call names, by its ID or a space's, if the user is a member, and of the user's account otherwise.
 */
export async function recordCall(ctx: Context, userId: string, args: unknown): Promise<void> {
  const target = await targetOf(ctx, args);
  const concerned = ssoOf(ctx.actor)?.organizationId ?? reachOf(ctx.actor);
  await transact(ctx, (inside) =>
    target
      ? recordEvent(inside, { kind: 'agent_tool_called', ...target, ids: { userId } })
      : recordAccountEvent(inside, { kind: 'agent_tool_called', ids: { userId } }, concerned),
  );
}

/**
 * Spaces of public sites are visible to all users, whose calls are no events of the organization that published them.
 */
async function targetOf(ctx: Context, args: unknown) {
  const named = (args ?? {}) as { spaceId?: unknown; organizationId?: unknown }; // not checked yet
  const space = typeof named.spaceId === 'string' ? await loadSpace(ctx, named.spaceId) : undefined;
  const organizationId = space?.organizationId ?? named.organizationId;
  const organization = typeof organizationId === 'string' ? await loadOrganization(ctx, organizationId) : undefined;
  return organization && { organizationId: organization.id, ...(space && { spaceId: space.id }) };
}
