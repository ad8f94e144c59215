import { atLeast } from '../../../platform/access/roles.ts';
import type { OrganizationAccess } from '../access/index.ts';

/** Returns what a caller with this access can do in the organization. Without access: see it, if `isSeen`. */
export function permissionsBy(access: OrganizationAccess | undefined, { isSeen = false } = {}) {
  const isMember = access !== undefined;
  const reads = atLeast(access?.role, 'read');
  const creates = atLeast(access?.role, 'create');
  const administers = atLeast(access?.role, 'admin');
  return {
    view: isMember || isSeen,
    access: isMember,
    admin: administers,
    ownTeam: access?.ownsTeam ?? false,
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
