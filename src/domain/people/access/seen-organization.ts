import { type Actor, onlySpacesOf } from '../../../platform/access/actor.ts';
import type { Row } from '../../../platform/database/tables.ts';

/**
 * An organization as callers see it who do not act in it: as if most of its settings were not set.
 */
export const withoutSettings = <Seen extends Row<'organization'>>(organization: Seen): Seen => ({
  ...organization,
  emailDomains: [],
  hostname: null,
  customHostname: null,
  defaultSiteId: null,
  mergeRules: { type: 'rules', rules: [] },
});

/**
 * An organization as a caller sees it who is within it (`isWithin`). An application that is limited to spaces sees its
 * ID and title, and why its spaces are read-only; all settings read as if they were not set.
 */
export const organizationSeenBy = <Seen extends Row<'organization'>>(actor: Actor, organization: Seen): Seen =>
  onlySpacesOf(actor) === undefined
    ? organization
    : {
        ...withoutSettings(organization),
        useCase: null,
        communityType: null,
        defaultRole: null,
        logo: null,
        sso: false,
        ai: false,
        inviteLinks: false,
      };
