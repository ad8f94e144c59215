import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '..', '..', 'src');

/** Files that ask whether a membership is disabled by other means than `isActing`, and why. */
const OTHERS: Record<string, string> = {
  'domain/people/access/rule/acting-member.ts': 'defines what it is to act in an organization',
  'domain/people/access/rule/sql-rule.ts': 'selects the columns of memberships, and asks with `isEnabled`',
  'domain/people/access/rule/effective-roles.ts': 'lists the members with access, whoever asks',
  'domain/people/access/record-account-event.ts': 'lists the organizations of the account that an event is about',
  'domain/people/invites/accept-invite.ts': 'asks about the person who accepts, who need not be a caller',
  'domain/people/members/entity.ts': 'declares the column, and has no statements',
  'domain/people/members/join-organization.ts': 'refuses disabled members, who do not come back by joining',
  'domain/people/members/assert-administrator-remains.ts': 'asks about the other members',
  'domain/people/members/list-members.ts': 'filters the members of a list, whoever asks',
  'domain/people/members/resources.ts': 'shows members to others, whoever they are',
  'domain/people/members/update-member.ts': 'changes the flag of the member that the input names',
  'domain/people/organizations/organizations-by-email-domain.ts':
    'lists organizations to join; their resources show nothing without SSO',
  'domain/people/scim/user-resource.ts': 'shows members to the identity provider, which is no user',
  'domain/people/scim/user-rows.ts': 'reads members for the identity provider, which is no user',
  'domain/people/scim/write-user.ts': 'changes the flag of the member that the identity provider names',
  'domain/people/sso/admit.ts': 'asks about the person who signs in, who is no caller yet',
  'domain/people/sso/finish-sign-in.ts': 'asks about the person who signs in, who is no caller yet',
  'domain/people/sso/end-provider.ts': 'asks whether an admin remains, whoever that is',
  'domain/people/teams/list-teams.ts': 'asks about the user that the filter names',
  'domain/places/grants/list-effective-permissions.ts': 'lists members for admins of the resource, whoever they are',
  'domain/places/grants/resources.ts': 'shows members to admins of the resource, whoever they are',
  'domain/places/link-invites/join-with-link-invite.ts': 'reports to disabled members why they cannot join',
  'domain/sources/git/connections/commit-text.ts': 'asks about the writers of commits, who are not the caller',
  'domain/review/reviews/request-reviewers.ts': 'asks about the reviewers, not about the caller',
};

test('every statement on the membership of the caller uses `isActing`, so that it knows SSO too', () => {
  const found = globSync('**/*.ts', { cwd: SRC }).filter((file) =>
    /is_disabled|isDisabled/.test(readFileSync(join(SRC, file), 'utf8')),
  );
  expect(found.sort()).toEqual(Object.keys(OTHERS).sort());
  for (const reason of Object.values(OTHERS)) expect(reason.split(' ').length).toBeGreaterThan(3);
});

/** Files that read the role of a membership in SQL by other means than `roleFor`, and why. */
const ROLES: Record<string, string> = {
  'domain/people/access/access-maps.ts': 'reads the role that counts for the caller of the map',
  'domain/people/access/rule/acting-member.ts': 'defines which role counts for a caller',
  'domain/people/access/rule/effective-roles.ts': 'lists the members with access, with all that was given to them',
  'domain/people/access/rule/sql-rule.ts': 'reads the role from memberships that have the one that counts',
  'domain/people/members/list-members.ts': 'filters the members of the list, whoever asks',
  'domain/people/scim/provisioned-account.ts': 'asks about the person who signs in, who is no caller yet',
  'domain/people/scim/user-rows.ts': 'asks about the members that an identity provider reads',
  'domain/people/teams/list-teams.ts': 'asks about the user that the filter names',
};

test('every statement on the role of the caller uses `roleFor`, so that it knows which provider gave it', () => {
  const found = globSync('domain/**/*.ts', { cwd: SRC }).filter((file) => {
    const text = readFileSync(join(SRC, file), 'utf8');
    return (
      /'(?:m|own)\.role'|\bm\.role\b|\bms\.role\b|from membership own\b.*own\.role/.test(text) ||
      /requiresSso = /.test(text)
    );
  });
  expect(found.sort()).toEqual(Object.keys(ROLES).sort());
  for (const reason of Object.values(ROLES)) expect(reason.split(' ').length).toBeGreaterThan(3);
});
