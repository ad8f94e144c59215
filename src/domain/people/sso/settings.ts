import { idOf } from '../../../platform/operation/operation.ts';
import { namedEnum } from '../../../platform/shapes/named-enum.ts';
import { lineText, multilineText, nameText } from '../../../platform/shapes/text.ts';
import { webAddress } from '../../../platform/shapes/web-address.ts';
import { role } from '../access/index.ts';
import { certificateFault } from './certificates.ts';

/** Settings of SAML providers whose changes events record. */
export const PROVIDER_SETTINGS = [
  'label',
  'entityId',
  'certificate',
  'ssoUrl',
  'defaultTeamId',
  'defaultRole',
] as const;

/** Maximum number of identity providers of each protocol in an organization. */
export const MAX_PROVIDERS = 20;

export const samlProviderStatus = namedEnum('SamlProviderStatus', 'Whether members can sign in with a SAML provider.', {
  active: 'Members can sign in.',
  pending: '`ssoUrl`, `entityId` or `certificate` is not set yet.',
});

/** The organization of a provider that an input names. In REST, the path has it. */
export const organizationOfProvider = idOf('org')
  .nullish()
  .describe('ID of the `Organization` of the provider. Optional.');

export const label = nameText(30).describe('Label of the provider for sign-in pages, 1 to 30 characters.');

/** What members get with their first sign-in. */
export const firstSignInSettings = {
  defaultTeamId: idOf('team')
    .nullish()
    .describe('ID of the `Team` (`team_…`) that users join with their first sign-in. Null for none.'),
  defaultRole: role
    .nullish()
    .describe(
      'Role of users who join with their first sign-in. The role applies only to sessions and tokens that are created with this provider. If null, they join as guests. Every person whom the provider signs in joins, so a provider that serves the public, such as Google, gives the role to everyone with an account there.',
    ),
};

/** Settings of a SAML provider other than its label. */
export const providerSettings = {
  entityId: lineText(0, 1_024)
    .nullish()
    .describe('Entity ID of the identity provider, up to 1,024 characters. Null or an empty text removes it.'),
  certificate: multilineText(0, 10_000)
    .superRefine((value, { addIssue }) => {
      const fault = value.trim() === '' ? undefined : certificateFault(value);
      if (fault !== undefined) addIssue({ code: 'custom', message: fault, input: value });
    })
    .nullish()
    .describe(
      'X.509 certificate that the identity provider signs assertions with, in PEM or base64, up to 10,000 characters. Several PEM certificates are accepted at once, for rotation. Null or an empty text removes them.',
    ),
  ssoUrl: webAddress()
    .nullish()
    .describe(
      'URL of the identity provider that sign-ins are sent to (HTTP-Redirect binding), up to 2,048 characters. Null removes it.',
    ),
  ...firstSignInSettings,
};

interface ProviderInput {
  entityId?: string | null | undefined;
  certificate?: string | null | undefined;
  ssoUrl?: string | null | undefined;
}

/** The settings as they are stored: an empty text is none. */
export const normalizeSettings = <Input extends ProviderInput>(input: Input): Input => ({
  ...input,
  ...(input.entityId !== undefined && { entityId: input.entityId?.trim() || null }),
  ...(input.certificate !== undefined && { certificate: input.certificate?.trim() || null }),
});
