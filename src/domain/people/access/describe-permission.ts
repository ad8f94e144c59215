import { type Permission, permissions } from './permissions.ts';

/** The permission that an operation requires, for the OpenAPI description. */
export interface DescribedPermission {
  sentence?: string;
  isOpen?: boolean;
  isOpenOnSites?: boolean;
}

/** Describes an entry of `permissions` in a sentence. */
export function describePermission(operationName: string): DescribedPermission {
  const permission = (permissions as Record<string, Permission>)[operationName] ?? {}; // a test compares the names
  if (permission.open) return { sentence: 'Requires no token.', isOpen: true };
  if (permission.operator) return { sentence: 'Only for operators of the service.' };
  const requirements = [inOrganization(permission), onContent(permission), inTarget(permission)].filter(
    (part) => part !== undefined,
  );
  return {
    ...(requirements.length > 0 && { sentence: `Requires ${requirements.join(', and ')}.` }),
    ...([permission.space, permission.site].includes('view') && requirements.length === 1 && { isOpenOnSites: true }),
  };
}

const MEMBERSHIP = {
  reach: 'membership in the organization',
  member: 'membership in the organization',
  role: 'a role in the organization',
  createContent: 'the role `create` in the organization',
  admin: 'the role `admin` in the organization',
} as const;

function inOrganization(permission: Permission): string | undefined {
  const { organization, parent, orTeamOwner, orTargetAdmin, orSelf, ofMember, ofTeam } = permission;
  if (!organization) return undefined;
  const isShownToRoles = organization === 'member' && (ofMember || ofTeam);
  const others = [
    parent && `\`${parent}\` on the parent collection`,
    orTeamOwner && 'being an owner of the team',
    orTargetAdmin && '`admin` on the space or collection that it leads to',
    (orSelf || (isShownToRoles && ofMember)) && 'being the member',
    isShownToRoles && ofTeam && 'belonging to the team',
  ].filter(Boolean);
  return [MEMBERSHIP[isShownToRoles ? 'role' : organization], ...others].join(', or ');
}

const inTarget = ({ target }: Permission) => target && `${MEMBERSHIP[target]} that the input names`;

function onContent({ space, orAuthor, collection, site, content }: Permission): string | undefined {
  if (content) return `\`${content}\` on the space, collection or site`;
  if (space === 'view') return '`read` on the space, or a published site that shows it';
  if (space) return `\`${space}\` on the space${orAuthor ? ', or being the author of the comment or reply' : ''}`;
  if (collection) return `\`${collection}\` on the collection`;
  if (site === 'view') return '`read` on the site, or a published site';
  return site && `\`${site}\` on the site`;
}
