import type { ContentRef } from '../../../lib/document/content-ref.ts';
import { referencesOf } from '../../../lib/document/references.ts';
import type { UrlTargets } from '../../../lib/document/service-url.ts';
import { stableUrl } from '../../../lib/document/stable-url.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { SourceLink } from '../../store/prepared-bodies/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { linksFrom } from './links-from.ts';
import { stillLeadsTo } from './print-with-links.ts';
import { printWritten, type WrittenBody } from './render-body.ts';

/** A body in its form `written`, for edits of the text. */
export interface WrittenForm {
  text: string;
  /** What each URL in the text refers to, so that it keeps its meaning when the text is read again. */
  targets: UrlTargets;
  /** URLs that stayed as they were written. */
  links: Readonly<Record<string, SourceLink>>;
}

/**
 * The form `written` of a body for callers who can edit it: they see all pages. Equals what `renderMarkdown` returns.
 */
export async function writtenForm(ctx: Context, revision: RevisionRow, content: WrittenBody): Promise<WrittenForm> {
  const { body, source, path } = content;
  const addresses = await linksFrom(ctx, revision, path, body);
  const text = await printWritten(ctx, content, { links: addresses, keepsLinks: true });
  const addressOf = (ref: ContentRef) => {
    const url = stableUrl(ref);
    return Object.hasOwn(addresses, url) ? addresses[url] : undefined;
  };
  const targets: Record<string, ContentRef> = {};
  for (const { ref } of referencesOf(body)) {
    const url = ref.kind === 'url' ? ref.url : addressOf(ref);
    // A URL that would be read as something else is printed with a prefix, which says what it is.
    if (url !== undefined && !(ref.kind === 'url' && Object.hasOwn(addresses, url))) targets[url] = ref;
  }
  const links: Record<string, SourceLink> = {};
  for (const [url, link] of Object.entries(source?.links ?? {})) {
    if (!source || !stillLeadsTo(link.ref, addressOf(link.ref), { source, url, path })) continue;
    targets[url] = link.ref;
    links[url] = link;
  }
  return { text, targets, links };
}
