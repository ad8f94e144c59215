import { sql } from 'kysely';
import { z } from 'zod';
import { onlySpacesOf, reachOf, requireUserId } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { query } from '../../../platform/operation/operation.ts';
import { isActing, type OrganizationRow, withoutSettings } from '../access/index.ts';
import { domainOfEmail } from '../users/index.ts';
import { hostName } from './email-domain.ts';
import { isListingEffective } from './email-domain-states.ts';
import { hasScimToken } from './provisioned.ts';

const MAX = 100;

export const listOrganizationsByEmailDomain = query({
  name: 'listOrganizationsByEmailDomain',
  description:
    'Lists up to 100 organizations with an email domain: those that you are a member of and, if it is the domain of your ' +
    'verified email address, those that you can join. If another organization has verified the domain, you cannot join organizations that only list it. Neither can you join organizations whose identity provider manages the members (SCIM). Organizations that require SSO are listed by your verified address too: `sso` is true, and you can enter them with one of their SSO logins. Settings for members are left out for organizations that you have not joined, and for those that require SSO unless you have signed in with it. Applications that are limited to spaces see no email domains, so that the list is empty for them.',
  input: z.object({ domain: hostName.describe('Email domain, such as `example.com`.') }),
  run: async (ctx, { domain }) => (await organizationsWith(ctx, domain)).map(shownBy(domain)),
});

type MatchingOrganization = OrganizationRow & { isActing: boolean };

async function organizationsWith(ctx: Context, domain: string): Promise<MatchingOrganization[]> {
  const userId = requireUserId(ctx.actor);
  if (onlySpacesOf(ctx.actor)) return [];
  const reach = reachOf(ctx.actor);
  const user = await ctx.db.selectFrom('user').where('id', '=', userId).select('email').executeTakeFirst();
  const mayJoin = domainOfEmail(user?.email ?? '') === domain;
  const acts = isActing(ctx.actor, 'm');
  return (
    ctx.db
      .selectFrom('organization as o')
      .leftJoin('membership as m', (on) => on.onRef('m.organizationId', '=', 'o.id').on('m.userId', '=', userId))
      .where((row) => row(row.val(domain), '=', row.fn.any('o.emailDomains')))
      // Disabled members neither see the organization nor can they join it again.
      .where((row) =>
        mayJoin
          ? row.or([
              row.and([
                row('m.id', 'is', null),
                isListingEffective(sql.ref('o.id'), sql`${domain}`),
                row.not(hasScimToken(sql.ref('o.id'))),
              ]),
              row('m.isDisabled', '=', false),
            ])
          : acts,
      )
      .$if(reach !== undefined, (all) => all.where('o.id', '=', anyOf([...(reach ?? [])])))
      .selectAll('o')
      .select(sql<boolean>`coalesce(${acts}, false)`.as('isActing'))
      .orderBy('o.title')
      .orderBy('o.id')
      .limit(MAX)
      .execute()
  );
}

const shownBy =
  (domain: string) =>
  ({ isActing: acts, ...organization }: MatchingOrganization): OrganizationRow =>
    acts
      ? organization
      : {
          ...withoutSettings(organization),
          emailDomains: [domain],
          blocked: null,
        };
