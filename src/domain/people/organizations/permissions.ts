import { atLeast } from '../../../platform/access/roles.ts';
import type { OrganizationStanding } from '../access/index.ts';

/** What a caller may do in an organization (docs/decisions.md, Permissions), by their standing; without one, nothing. */
export function permissionsBy(standing: OrganizationStanding | undefined) {
  const isMember = standing !== undefined;
  const reads = atLeast(standing?.role, 'read');
  const creates = atLeast(standing?.role, 'create');
  const administers = atLeast(standing?.role, 'admin');
  return {
    view: isMember,
    access: isMember,
    admin: administers,
    ownTeam: standing?.ownsTeam ?? false,
    createContent: creates,
    createOpenApiSpec: creates,
    ingestConversations: administers,
    viewBilling: administers,
    listMembers: reads,
    listTeams: reads,
    listIntegrations: reads,
    listInstallations: administers,
    installIntegration: administers,
  };
}

export type OrganizationPermissions = ReturnType<typeof permissionsBy>;
