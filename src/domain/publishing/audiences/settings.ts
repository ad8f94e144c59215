import { idOf } from '../../../platform/operation/operation.ts';
import { lineText } from '../../../platform/shapes/text.ts';
import { webAddress } from '../../../platform/shapes/web-address.ts';

/** Maximum number of share links of a site. */
export const MAX_SHARE_LINKS = 1_000;

/** Names a share link. REST paths include its site and organization. */
export const shareLinkName = {
  shareLinkId: idOf('sharelink'),
  siteId: idOf('site').nullish().describe('ID of the site that the link must belong to.'),
  organizationId: idOf('org').nullish().describe('ID of the organization that the site must belong to.'),
};

export const shareLinkTitle = lineText(0, 50).describe(
  'Name of the link for the admins of the site, up to 50 characters.',
);

const page = (what: string) => webAddress().nullish().describe(`${what} Up to 2,048 characters. Null removes it.`);

export const fallbackUrl = page(
  'URL of your page where visitors sign in. Visitors without a valid token are redirected there, with the path that they came from in the parameter `location`.',
);

export const logoutUrl = page('URL of your page where visitors sign out.');
