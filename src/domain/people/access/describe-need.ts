import { type Need, needs } from './needs.ts';

/** What an operation needs, for the description of REST. */
export interface DescribedNeed {
  sentence?: string;
  isOpen?: boolean;
  isOpenOnSites?: boolean;
  /** Who sees the target may still be refused. */
  canForbid: boolean;
}

/** One line of the table of needs in words. */
export function describeNeed(operationName: string): DescribedNeed {
  const need = (needs as Record<string, Need>)[operationName] ?? {}; // a test compares the names
  if (need.open) return { sentence: 'Needs no token.', isOpen: true, canForbid: false };
  if (need.operator) return { sentence: 'For operators of this service.', canForbid: true };
  const wanted = [inOrganization(need), onContent(need)].filter((part) => part !== undefined);
  return {
    ...(wanted.length > 0 && { sentence: `Needs ${wanted.join(', and ')}.` }),
    ...(need.space === 'view' && wanted.length === 1 && { isOpenOnSites: true }),
    canForbid: asksForMore(need),
  };
}

const MEMBERSHIP = {
  member: 'membership in the organization',
  role: 'a role in the organization',
  createContent: 'the role `create` in the organization',
  admin: 'the role `admin` in the organization',
} as const;

function inOrganization({ organization, parent }: Need): string | undefined {
  if (!organization) return undefined;
  return `${MEMBERSHIP[organization]}${parent ? `, or \`${parent}\` on the collection that it goes into` : ''}`;
}

function onContent({ space, orAuthor, collection, site }: Need): string | undefined {
  if (space === 'view') return '`read` on the space, or a published site that shows it';
  if (space) return `\`${space}\` on the space${orAuthor ? ', or to have written it' : ''}`;
  if (collection) return `\`${collection}\` on the collection`;
  return site && `\`${site}\` on the site`;
}

/** More than being able to see the target; a space can be seen on a site without `read` on it. */
const asksForMore = ({ organization, space, collection, site }: Need): boolean =>
  (organization !== undefined && organization !== 'member') ||
  (space !== undefined && space !== 'view') ||
  [collection, site].some((level) => level !== undefined && level !== 'read');
