import type { Row } from '../../../platform/database/tables.ts';
import type { ActiveSettings } from './certificates.ts';

type ProviderRow = Row<'saml_provider'>;

/** The settings that signing in with an OpenID provider requires. */
export interface ActiveOidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: Buffer;
}

/** Whether members can sign in with a provider: a SAML provider with `ssoUrl`, `entityId` and `certificate`. */
export const isActiveSaml = <Provider extends { [Name in keyof ActiveSettings]: string | null }>(
  provider: Provider,
): provider is Provider & ActiveSettings =>
  provider.ssoUrl !== null && provider.entityId !== null && provider.certificate !== null;

/** The same for OpenID providers, with `issuer`, `clientId` and a client secret. */
export const isActiveOidc = <Provider extends Pick<ProviderRow, keyof ActiveOidcSettings>>(
  provider: Provider,
): provider is Provider & ActiveOidcSettings =>
  provider.issuer !== null && provider.clientId !== null && provider.clientSecret !== null;

/** Whether members can sign in with a provider. In SQL: `activeInSql`. */
export const isActive = (provider: ProviderRow): boolean =>
  provider.protocol === 'saml' ? isActiveSaml(provider) : isActiveOidc(provider);
