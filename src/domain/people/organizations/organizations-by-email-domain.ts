import { sql } from 'kysely';
import { z } from 'zod';
import { reachOf, requireUserId } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import { query } from '../../../platform/operation/operation.ts';
import type { OrganizationRow } from '../access/index.ts';
import { domainOfEmail } from '../users/index.ts';
import { hostName } from './email-domain.ts';
import { isListingEffective } from './email-domain-states.ts';

const MAX = 100;

export const listOrganizationsByEmailDomain = query({
  name: 'listOrganizationsByEmailDomain',
  description:
    'Lists up to 100 organizations with an email domain: those that you are a member of and, if it is the domain of your ' +
    'verified email address, those that you can join. If another organization has verified the domain, you cannot join organizations that only list it. Settings for members are left out for organizations that you have not joined.',
  input: z.object({ domain: hostName.describe('Email domain, such as `example.com`.') }),
  run: async (ctx, { domain }) => (await organizationsWith(ctx, domain)).map(withoutSettings(domain)),
});

type Found = OrganizationRow & { isMember: boolean };

async function organizationsWith(ctx: Context, domain: string): Promise<Found[]> {
  const userId = requireUserId(ctx.actor);
  const reach = reachOf(ctx.actor);
  const user = await ctx.db.selectFrom('user').where('id', '=', userId).select('email').executeTakeFirst();
  const mayJoin = domainOfEmail(user?.email ?? '') === domain;
  return (
    ctx.db
      .selectFrom('organization as o')
      .leftJoin('membership as m', (on) => on.onRef('m.organizationId', '=', 'o.id').on('m.userId', '=', userId))
      .where((its) => its(its.val(domain), '=', its.fn.any('o.emailDomains')))
      // Disabled members neither see the organization nor can they join it again.
      .where((its) =>
        mayJoin
          ? its.or([
              its.and([its('m.id', 'is', null), isListingEffective(sql.ref('o.id'), sql`${domain}`)]),
              its('m.isDisabled', '=', false),
            ])
          : its('m.isDisabled', '=', false),
      )
      .$if(reach !== undefined, (all) => all.where('o.id', '=', anyOf([...(reach ?? [])])))
      .selectAll('o')
      .select((its) => its('m.id', 'is not', null).$castTo<boolean>().as('isMember'))
      .orderBy('o.title')
      .orderBy('o.id')
      .limit(MAX)
      .execute()
  );
}

const withoutSettings =
  (domain: string) =>
  ({ isMember, ...organization }: Found): OrganizationRow =>
    isMember
      ? organization
      : {
          ...organization,
          emailDomains: [domain],
          hostname: null,
          customHostname: null,
          defaultSiteId: null,
          blocked: null,
          mergeRules: { type: 'rules', rules: [] },
        };
