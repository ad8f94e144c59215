import { lineFrom } from '../../../../platform/shapes/cut-text.ts';
import { emailAddress } from '../../users/index.ts';
import type { ProviderRow } from '../access.ts';
import type { ProviderSession, SsoSubject } from '../entity.ts';
import { SignInError } from '../sign-in-error.ts';
import type { Claims } from './redeem-code.ts';

/** A subject has at most 255 characters (OpenID Connect Core 1.0, 2). */
const MAX_SUBJECT = 255;
const MAX_SID = 255;
const MAX_NAME = 100;
const MAX_GROUPS = 1_000;

type Mapping = Pick<ProviderRow, 'groupsClaim' | 'groupTeams'>;

/** What an ID token says: the person with the teams of their groups, and their session at the provider. */
interface ReadClaims {
  person: SsoSubject;
  providerSession: ProviderSession;
  /** When the ID token was issued, in seconds. */
  issuedAt: number;
}

/** A person of an OIDC provider, with the teams of their groups, and their session there. Throws `SignInError`. */
export function readClaims(claims: Claims, mapping: Mapping): ReadClaims {
  const { iss: issuer, sub: subject, sid } = claims;
  if (subject === '' || subject.length > MAX_SUBJECT)
    throw new SignInError('The claim "sub" of the identity provider is empty or too long.');
  for (const [name, value] of Object.entries({ sub: subject, sid })) {
    if (isText(value) && !isStorable(value))
      throw new SignInError(`The claim "${name}" of the identity provider contains characters that are not allowed.`);
  }
  const name = [claims.name, claims.preferred_username].find(isText);
  return {
    person: {
      issuer,
      kind: 'name-id',
      subject,
      email: addressIn(claims),
      displayName: name === undefined ? undefined : lineFrom(name, MAX_NAME),
      teamIds: teamsIn(claims, mapping),
    },
    providerSession: { issuer, subject, sid: isText(sid) && sid.length <= MAX_SID ? sid : null },
    issuedAt: claims.iat,
  };
}

/** Whether PostgreSQL can store and read a text, also within JSON, and whether it has no control characters. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The address, which the provider may leave without a word on verification, but not call unverified. */
function addressIn({ email, email_verified: isVerified }: Claims): string {
  if (email === undefined)
    throw new SignInError(
      'The identity provider did not send the claim "email". Configure it to release the address to this service.',
    );
  const { success, data } = emailAddress.safeParse(email);
  if (!success) throw new SignInError('The claim "email" of the identity provider is not an email address.');
  if (isVerified === false || isVerified === 'false')
    throw new SignInError(
      'Your email address is not verified at the identity provider. Verify it there and sign in again.',
    );
  return data;
}

function teamsIn(claims: Claims, { groupsClaim, groupTeams }: Mapping): string[] {
  if (groupsClaim === null) return [];
  const groups = new Set(groupsIn(claims, groupsClaim));
  const teamIds = (groupTeams ?? []).filter(({ group }) => groups.has(group)).map(({ teamId }) => teamId);
  return [...new Set(teamIds)];
}

/** Names of groups: a list of texts, or one text. No claim means no groups. */
function groupsIn(claims: Claims, name: string): string[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (value === undefined && isElsewhere(claims, name))
    throw new SignInError(
      `The identity provider did not send the claim "${name}", because it has too many values. Configure it to send only the groups of this application.`,
    );
  const groups = [value ?? []].flat();
  if (groups.length > MAX_GROUPS) throw new SignInError(`The claim "${name}" has more than ${MAX_GROUPS} values.`);
  if (!groups.every((group) => typeof group === 'string'))
    throw new SignInError(`The claim "${name}" is not a list of texts.`);
  return groups;
}

/** Whether a claim has to be asked for elsewhere (OpenID Connect Core 1.0, 5.6.2), which this service does not do. */
function isElsewhere({ _claim_names: names }: Claims, name: string): boolean {
  return typeof names === 'object' && names !== null && Object.hasOwn(names, name);
}
