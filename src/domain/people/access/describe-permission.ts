import { type Permission, permissions } from './permissions.ts';

/** What an operation needs, for the description of REST. */
export interface DescribedPermission {
  sentence?: string;
  isOpen?: boolean;
  isOpenOnSites?: boolean;
  /** Who sees the target may still be refused. */
  canForbid: boolean;
}

/** One line of the table of permissions in words. */
export function describePermission(operationName: string): DescribedPermission {
  const permission = (permissions as Record<string, Permission>)[operationName] ?? {}; // a test compares the names
  if (permission.open) return { sentence: 'Needs no token.', isOpen: true, canForbid: false };
  if (permission.operator) return { sentence: 'For operators of this service.', canForbid: true };
  const wanted = [inOrganization(permission), onContent(permission)].filter((part) => part !== undefined);
  return {
    ...(wanted.length > 0 && { sentence: `Needs ${wanted.join(', and ')}.` }),
    ...(permission.space === 'view' && wanted.length === 1 && { isOpenOnSites: true }),
    canForbid: asksForMore(permission),
  };
}

const MEMBERSHIP = {
  member: 'membership in the organization',
  role: 'a role in the organization',
  createContent: 'the role `create` in the organization',
  admin: 'the role `admin` in the organization',
} as const;

function inOrganization({ organization, parent }: Permission): string | undefined {
  if (!organization) return undefined;
  return `${MEMBERSHIP[organization]}${parent ? `, or \`${parent}\` on the collection that it goes into` : ''}`;
}

function onContent({ space, orAuthor, collection, site }: Permission): string | undefined {
  if (space === 'view') return '`read` on the space, or a published site that shows it';
  if (space) return `\`${space}\` on the space${orAuthor ? ', or to have written it' : ''}`;
  if (collection) return `\`${collection}\` on the collection`;
  return site && `\`${site}\` on the site`;
}

/** More than being able to see the target; a space can be seen on a site without `read` on it. */
const asksForMore = ({ organization, space, collection, site }: Permission): boolean =>
  (organization !== undefined && organization !== 'member') ||
  (space !== undefined && space !== 'view') ||
  [collection, site].some((role) => role !== undefined && role !== 'read');
