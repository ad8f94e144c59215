import type { JSONDocument } from '../../../lib/document/document.ts';
import { IN_PAGES } from '../../../lib/document/markdown/forms.ts';
import { printMarkdown } from '../../../lib/document/markdown/print.ts';
import { stableUrl } from '../../../lib/document/stable-url.ts';
import type { Links } from './links-from.ts';

/** Prints a body as Markdown with these links, and with stable URLs for all other references. */
export const printed = ({ body, links }: { body: JSONDocument; links: Links }): string =>
  printMarkdown(body, {
    ...IN_PAGES,
    linkTo(ref) {
      const stable = stableUrl(ref);
      return Object.hasOwn(links, stable) ? links[stable] : undefined;
    },
  });
