import type { ContentRef } from '../../../../lib/document/content-ref.ts';
import type { JSONDocument } from '../../../../lib/document/document.ts';
import { IN_PAGES } from '../../../../lib/document/markdown/forms.ts';
import { type ParseOptions, parseMarkdown } from '../../../../lib/document/markdown/parse.ts';
import type { LinkKind } from '../../../../lib/document/markdown/read/read-context.ts';
import { referencesOf } from '../../../../lib/document/references.ts';
import { refOfUrl, stableUrl } from '../../../../lib/document/stable-url.ts';

type ResolveLink = NonNullable<ParseOptions['resolveLink']>;

/**
 * Returns the references that URLs of a text had when it meant `former`, by URL, where their targets are gone. Empty if
 * text and document do not correspond.
 */
export function deletedTargets(
  text: string,
  former: JSONDocument,
  { resolve, isGone }: { resolve: ResolveLink; isGone(ref: ContentRef): boolean },
): ReadonlyMap<string, ContentRef> {
  const urls = new WeakMap<ContentRef, string>();
  const { document } = parseMarkdown(text, {
    ...IN_PAGES,
    resolveLink(url, kind) {
      const ref = { ...(resolve(url, kind) ?? placeholder(url, kind) ?? refOfUrl(url)) };
      urls.set(ref, url);
      return ref;
    },
  });
  const [refs, formerRefs] = [document, former].map((each) => referencesOf(each).map(({ ref }) => ref));
  const targets = new Map<string, ContentRef>();
  if (!refs || !formerRefs || refs.length !== formerRefs.length) return targets;
  for (const [index, ref] of refs.entries()) {
    const target = formerRefs[index];
    const url = urls.get(ref);
    if (!target || url === undefined || stableUrl(ref) === stableUrl(target)) continue;
    if (!isGone(target)) return new Map();
    targets.set(url, target);
  }
  return targets;
}

/** A reference to a missing target, for blocks that require one: includes and files. Undefined for other links. */
function placeholder(url: string, kind: LinkKind): ContentRef | undefined {
  if (kind === 'include') return { kind: 'reusable-content', reusableContent: url };
  return kind === 'file' ? { kind: 'file', file: url } : undefined;
}
