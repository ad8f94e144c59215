import { withCode } from '../../lib/validation/issue-code.ts';
import { multilineText } from './text.ts';

/** Characters of URLs: unreserved, reserved except brackets, and percent-encoded (RFC 3986, section 2). */
const CHARACTER = "(?:[A-Za-z0-9._~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})";
const WEB_ADDRESS = new RegExp(`^https?://${CHARACTER}+(?:#${CHARACTER}*)?$`);

/** An absolute `http` or `https` URL of up to 2,048 characters, stored unchanged. */
export const webAddress = () =>
  multilineText(1, 2048)
    .refine((value) => WEB_ADDRESS.test(value) && URL.canParse(value), {
      error: 'must be an absolute URL such as https://example.com/image.png, with other characters percent-encoded',
      ...withCode('INVALID_FORMAT'),
    })
    .meta({ scalar: 'URL' });

/**
 * Whether a URL has neither a user name nor a password, which everyone who sees the URL would see. True for other
 * texts.
 */
export function hasNoCredentials(value: string): boolean {
  const url = URL.parse(value);
  return url === null || (url.username === '' && url.password === '');
}

export const NO_CREDENTIALS = 'must not contain a user name or password';
