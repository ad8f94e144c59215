import { z } from 'zod';
import { withCode } from '../../../lib/validation/issue-code.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import { emoji, multilineText, nameText } from '../../../platform/shapes/text.ts';
import { webAddress } from '../../../platform/shapes/web-address.ts';

/** Maximum number of spaces on a site. */
export const MAX_SITE_SPACES = 2_000;

/** Names a site. REST paths include the organization. */
export const siteName = {
  siteId: idOf('site'),
  organizationId: idOf('org').nullish().describe('ID of the organization that the site must belong to.'),
};

export const shareKey = z
  .string()
  .max(256)
  .nullish()
  .describe(
    'Key of a share link of the site. NOT_FOUND if it is not the key of an active one, unless you have a role.',
  );

export const siteTitle = nameText(128, 2).describe('Title of the site, 2 to 128 characters.');

/** Unreserved characters of URLs and letters of any script, but not `.` and `..`, which URLs drop (RFC 3986, 5.2.4). */
const SEGMENT = /^(?!\.{1,2}$)(?!~)[\p{L}\p{M}\p{N}._~-]+$/u;

/** One segment of the path of a published URL, 1 to 100 characters. */
export const pathSegment = () =>
  multilineText(1, 100).regex(
    SEGMENT,
    'must be one path segment of letters, digits, "-", "_", "." and "~" that does not begin with "~"',
  );

/** The rule of a segment for descriptions, because not every tool that reads patterns knows letters of any script. */
export const SEGMENT_RULE =
  '1 to 100 letters of any script, digits, `-`, `_`, `.` and `~`, but not `.`, `..` or `~` at the beginning';

export const siteBasename = pathSegment().describe(
  `Last segment of the URL of the site: ${SEGMENT_RULE}. Unique in the organization. CONFLICT if it is taken.`,
);

/** Each label is bounded, so that the pattern is linear. */
const HOSTNAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){2,}[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

export const siteHostname = multilineText(1, 253)
  .regex(HOSTNAME, 'must be a hostname of at least three labels in lowercase, such as docs.example.com')
  .describe(
    'Custom hostname of the site, such as docs.example.com. CONFLICT if it is verified for another site, or if another site of the organization already has it. Null removes it.',
  );

const PROXY = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.[A-Za-z]{2,}(?:\/[A-Za-z0-9_-]+)+$/;

/** Names that never lead to public addresses (RFC 6761, RFC 6762, RFC 8375 and ICANN's `internal`). */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|test|invalid|example|onion|home\.arpa)$/i;

export const proxyOrigin = multilineText(1, 512)
  .regex(PROXY, 'must be a hostname and a path, such as example.com/docs')
  .refine((origin) => !PRIVATE_NAME.test(origin.slice(0, origin.indexOf('/'))), 'must be a public hostname')
  .describe('Hostname and path at which a proxy of yours serves the site, such as example.com/docs. Null removes it.');

/** The icon of a site: an emoji, or images for light and dark pages. Empty for none. */
export interface SiteIcon {
  emoji?: string | null | undefined;
  light?: string | null | undefined;
  dark?: string | null | undefined;
}

const image = (theme: string) =>
  webAddress().nullish().describe(`URL of an image for ${theme} pages, up to 2,048 characters.`);

export const siteIcon = z
  .object({
    emoji: emoji().nullish().describe('Emoji, as a character or as a hexadecimal code point.'),
    light: image('light'),
    dark: image('dark'),
  })
  .refine(({ emoji: symbol, light, dark }) => symbol == null || (light == null && dark == null), {
    error: 'must contain either an emoji or images, not both',
    ...withCode('ONE_OF'),
  })
  .refine(({ light, dark }) => (light == null) === (dark == null), {
    error: 'must contain both a light and a dark image',
  })
  .meta({ inputName: 'SiteIconInput', description: 'Icon of a site: an emoji, or a light and a dark image.' });
