import { conditionFault } from '../../../lib/expression/condition.ts';
import { MAX_EXPRESSION } from '../../../lib/expression/expression.ts';
import { conflict } from '../../../platform/errors/errors.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import { lineText, multilineText, nameText } from '../../../platform/shapes/text.ts';
import type { SiteNavigation } from '../navigation/index.ts';
import { MAX_SITE_SPACES, pathSegment, SEGMENT_RULE } from '../sites/index.ts';

/** Maximum number of sections, groups and external links of a site. */
const MAX_ITEMS = 1_000;

/** Maximum depth of nested groups. */
export const MAX_GROUP_DEPTH = 3;

/** Names the site of a site space or item. REST paths include it. */
export const siteArguments = {
  siteId: idOf('site').nullish().describe('ID of the site that the item must belong to.'),
  organizationId: idOf('org').nullish().describe('ID of the organization that the site must belong to.'),
};

export const sectionTitle = nameText(128, 2).describe('Title of the section, 2 to 128 characters.');

export const externalLinkTitle = nameText(128, 2).describe('Title of the link, 2 to 128 characters.');

export const groupTitle = nameText(100).describe('Title of the group, 1 to 100 characters.');

export const itemDescription = multilineText(0, 256).describe('Description, up to 256 characters. Null removes it.');

export const itemIcon = lineText(0, 50).describe('Name of an icon, up to 50 characters. Null removes it.');

export const sectionPath = pathSegment().describe(
  `Path of the section: ${SEGMENT_RULE}. Unique on the site. CONFLICT if it is taken.`,
);

export const siteSpacePath = pathSegment().describe(
  `Path of the site space: ${SEGMENT_RULE}. Unique on its level. CONFLICT if it is taken.`,
);

export const itemCondition = multilineText(0, MAX_EXPRESSION)
  .superRefine((source, { addIssue }) => {
    const fault = conditionFault(source);
    if (fault !== undefined) addIssue({ code: 'custom', message: fault, input: source });
  })
  .describe(
    'Expression that decides which visitors can see the item, such as `visitor.claims.isBeta == true`, up to 1,024 characters. Null or blank: all visitors.',
  );

/** A blank condition is none. */
export const storedCondition = (text: string | null | undefined) => (text?.trim() === '' ? null : text);

export function rejectTooManySpaces(structure: SiteNavigation): void {
  if (structure.siteSpaces.length < MAX_SITE_SPACES) return;
  throw conflict(`A site can have up to ${MAX_SITE_SPACES} spaces. Remove one first.`);
}

export function rejectTooManyItems(structure: SiteNavigation): void {
  if (structure.items.length < MAX_ITEMS) return;
  throw conflict(`A site can have up to ${MAX_ITEMS} sections, groups and links. Remove one first.`);
}

export const siteSpaceId = idOf('sitespace');
export const siteSectionId = idOf('section');
export const siteSectionGroupId = idOf('sectiongroup');
export const siteExternalLinkId = idOf('externallink');
