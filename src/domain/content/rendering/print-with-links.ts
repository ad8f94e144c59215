import type { ContentRef } from '../../../lib/document/content-ref.ts';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { IN_PAGES } from '../../../lib/document/markdown/forms.ts';
import { patchMarkdown } from '../../../lib/document/markdown/patch/patch-markdown.ts';
import { printMarkdown } from '../../../lib/document/markdown/print.ts';
import { pathsOfLink } from '../../../lib/document/relative-link.ts';
import { refOfUrl, stableUrl } from '../../../lib/document/stable-url.ts';
import type { BodySource } from '../../store/prepared-bodies/index.ts';
import type { Links } from './links-from.ts';

/** A body to print, with the addresses of its links. */
export interface BodyWithLinks {
  body: JSONDocument;
  links: Links;
  /** The text that the body was written as. */
  source?: BodySource;
  /** Path of the page, which relative links start from. */
  path?: string;
  /** Whether links stay as they were written while their targets are where they were. */
  keepsLinks?: boolean;
}

/** Prints a body as Markdown with these links, and with stable URLs for all other references. */
export function printWithLinks({ body, links, source, path = '', keepsLinks = false }: BodyWithLinks): string {
  const addressOf = (ref: ContentRef): string | undefined => getOwn(links, stableUrl(ref));
  if (!source) return printMarkdown(body, { ...IN_PAGES, linkTo: addressOf });
  return patchMarkdown(source.body, body, {
    ...IN_PAGES,
    resolveLink: (url) => getOwn(source.links, url)?.ref,
    linkTo(ref, url) {
      const address = addressOf(ref);
      const isKept = keepsLinks && url !== undefined && stillLeadsTo(ref, address, { source, url, path });
      return isKept ? url : address;
    },
  });
}

/**
 * Whether the text that a body was written as needs no patch: the body is the document that the text was read as, and
 * all links stay as they are.
 */
export function isUntouched(
  documentHash: string,
  { links, source, path = '', keepsLinks = false }: BodyWithLinks,
): boolean {
  if (source?.document !== documentHash) return false;
  const sourceLinks = Object.entries(source.links);
  if (!keepsLinks) return sourceLinks.length === 0 && Object.keys(links).length === 0;
  return sourceLinks.every(([url, { ref }]) => stillLeadsTo(ref, getOwn(links, stableUrl(ref)), { source, url, path }));
}

/** Whether a URL still leads to a reference, as it did when it was written. */
export function stillLeadsTo(
  ref: ContentRef,
  address: string | undefined,
  { source, url, path }: { source: BodySource; url: string; path: string },
): boolean {
  const link = getOwn(source.links, url);
  if (stableUrl(link?.ref ?? refOfUrl(url)) !== stableUrl(ref)) return false;
  if (!link) return true;
  // A target that is gone has no other address.
  if (address === undefined) return true;
  if (link.address !== undefined) return link.address === address;
  if (ref.kind === 'file' || /^[a-z][a-z0-9+.-]*:|^\/\//i.test(url)) return true;
  const [place = ''] = pathsOfLink(path, address.replace(/#.*$/s, ''));
  return pathsOfLink(path, url.replace(/#.*$/s, '')).includes(place);
}

const getOwn = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
