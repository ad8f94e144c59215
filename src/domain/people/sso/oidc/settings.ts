import { z } from 'zod';
import type { Context } from '../../../../platform/context/context.ts';
import { anyOf } from '../../../../platform/database/conditions.ts';
import { badInput } from '../../../../platform/errors/errors.ts';
import { idOf } from '../../../../platform/operation/operation.ts';
import { namedEnum } from '../../../../platform/shapes/named-enum.ts';
import { lineText, nameText } from '../../../../platform/shapes/text.ts';
import { hasNoCredentials, webAddress } from '../../../../platform/shapes/web-address.ts';
import type { GroupTeam } from '../entity.ts';
import { firstSignInSettings } from '../settings.ts';

/** Settings of OIDC providers whose changes events record. The client secret is not among them. */
export const OIDC_SETTINGS = [
  'label',
  'issuer',
  'clientId',
  'groupsClaim',
  'groupTeams',
  'defaultTeamId',
  'defaultRole',
] as const;

const MAX_GROUP_TEAMS = 100;

const MAX_GROUP_LENGTH = 256;

export const oidcProviderStatus = namedEnum(
  'OidcProviderStatus',
  'Whether members can sign in with an OIDC provider.',
  {
    active: 'Members can sign in.',
    pending: '`issuer`, `clientId` or the client secret is not set yet.',
  },
);

/** An issuer has neither a query nor a fragment (OpenID Connect Discovery 1.0, 3), and no credentials. */
function isIssuer(value: string): boolean {
  const url = URL.parse(value);
  return url === null || (url.search === '' && url.hash === '' && hasNoCredentials(value));
}

const groupTeam = z
  .object({
    group: nameText(MAX_GROUP_LENGTH).describe(
      `Name of the group as the claim has it, 1 to ${MAX_GROUP_LENGTH} characters. Compared exactly.`,
    ),
    teamId: idOf('team').describe('ID of a `Team` (`team_…`) of the organization.'),
  })
  .meta({ inputName: 'OidcGroupTeamInput', description: 'A group of an OIDC provider, and the team of its members.' });

/** Settings of an OIDC provider other than its label. */
export const oidcSettings = {
  issuer: webAddress()
    .refine(isIssuer, 'must not contain a query, a fragment, a user name or a password')
    .refine((value) => !value.includes('/.well-known/'), 'must be the issuer itself, without "/.well-known/"')
    .nullish()
    .describe(
      'Issuer of the provider, such as `https://login.example.com`, up to 2,048 characters. Its configuration is read from `/.well-known/openid-configuration` under it. If the issuer serves the public, such as that of Google, everyone with an account there becomes a member with the default role. Null removes it. BAD_USER_INPUT for http, unless the service may send requests to private networks.',
    ),
  clientId: lineText(1, 256)
    .nullish()
    .describe('Client ID of this service at the provider, up to 256 characters. Null removes it.'),
  clientSecret: lineText(1, 1_000)
    .nullish()
    .describe(
      'Client secret of this service at the provider, up to 1,000 characters. It is stored encrypted and never shown. Null removes it. Required again with another issuer, because no issuer gets the secret of another.',
    ),
  groupsClaim: nameText(100)
    .nullish()
    .describe(
      'Name of the claim with the groups of a person, such as `groups`, up to 100 characters. Null for none: then groups give no teams.',
    ),
  groupTeams: z
    .array(groupTeam)
    .max(MAX_GROUP_TEAMS)
    .nullish()
    .describe(
      `Up to ${MAX_GROUP_TEAMS} pairs of a group and a team. With each sign-in, members join the teams of their groups and leave those that an earlier group had brought them into. Replaces the former pairs. Null for none.`,
    ),
  ...firstSignInSettings,
};

/** BAD_USER_INPUT for an issuer without TLS, unless the service may send requests to private networks. */
export function rejectPlainHttp({ services: { config } }: Context, issuer: string | null | undefined): void {
  if (issuer == null || issuer.startsWith('https:') || config.allowPrivateNetwork) return;
  throw badInput(['issuer'], 'must begin with https://.', 'INVALID_FORMAT');
}

/** BAD_USER_INPUT if a team is not of the organization, or a pair is given twice. */
export async function rejectForeignTeams(
  { db }: Context,
  organizationId: string,
  groupTeams: readonly GroupTeam[] | null | undefined,
): Promise<void> {
  const mappings = groupTeams ?? [];
  if (mappings.length === 0) return;
  const teams = await db
    .selectFrom('team')
    .where('id', '=', anyOf([...new Set(mappings.map(({ teamId }) => teamId))]))
    .where('organizationId', '=', organizationId)
    .select('id')
    .execute();
  const teamIds = new Set(teams.map(({ id }) => id));
  const pairs = new Set<string>();
  for (const [index, { group, teamId }] of mappings.entries()) {
    if (!teamIds.has(teamId))
      throw badInput(['groupTeams', index, 'teamId'], `"${teamId}" is not a team of this organization.`, 'NOT_FOUND');
    const pair = JSON.stringify([group, teamId]);
    if (pairs.has(pair)) throw badInput(['groupTeams', index], 'is the same pair as an earlier one.');
    pairs.add(pair);
  }
}
