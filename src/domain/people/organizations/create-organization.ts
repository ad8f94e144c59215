import { z } from 'zod';
import { isOperator, rejectLimitedReach, requireUserId } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { forbidden } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { rejectAtLimit } from '../../../platform/operation/count-limit.ts';
import { command } from '../../../platform/operation/operation.ts';
import { insertOrganization } from './insert-organization.ts';
import { emailDomains, organizationTitle } from './settings.ts';

/**
 * More than one person needs to administer. Without a limit, each change of the account would be an event of any number
 * of organizations.
 */
const MAX_ADMINISTERED = 100;

export const createOrganization = command({
  name: 'createOrganization',
  scope: 'admin',
  description:
    'Creates an organization. You become its admin. The service can be configured to allow this only for operators. FORBIDDEN for applications that are limited to organizations. ' +
    `CONFLICT if you are an admin of ${MAX_ADMINISTERED} organizations and not an operator.`,
  input: z.object({ title: organizationTitle, emailDomains: emailDomains.nullish() }),
  authorize: async (ctx) => founderOf(ctx),
  async run(ctx, { title, emailDomains: domains }) {
    const adminId = founderOf(ctx);
    if (!isOperator(ctx.actor)) await rejectTooManyOrganizations(ctx, adminId);
    const now = nowOf(ctx);
    const organizationId = await insertOrganization(ctx.db, { title, emailDomains: domains ?? [], adminId, now });
    await recordEvent(ctx, { kind: 'organization_created', organizationId });
    return { organizationId };
  },
});

function founderOf({ actor, services }: Context): string {
  const userId = requireUserId(actor);
  rejectLimitedReach(actor);
  if (!services.config.operatorsCreateOrganizations || isOperator(actor)) return userId;
  throw forbidden('Only operators of the service can create organizations.');
}

const rejectTooManyOrganizations = (ctx: Context, userId: string): Promise<void> =>
  rejectAtLimit(
    ctx,
    {
      name: `organizations:${userId}`,
      max: MAX_ADMINISTERED,
      message: `You are an admin of ${MAX_ADMINISTERED} organizations. Leave one first, or ask an operator to create the organization.`,
    },
    ctx.db
      .selectFrom('membership')
      .where('userId', '=', userId)
      .where('role', '=', 'admin')
      // Others can add the account to theirs.
      .where('isAccepted', '=', true),
  );
