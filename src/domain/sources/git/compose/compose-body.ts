import type { ContentRef } from '../../../../lib/document/content-ref.ts';
import type { JSONDocument } from '../../../../lib/document/document.ts';
import { emptyDocument, isEmptyDocument } from '../../../../lib/document/empty.ts';
import { IN_PAGES } from '../../../../lib/document/markdown/forms.ts';
import { patchMarkdown } from '../../../../lib/document/markdown/patch/patch-markdown.ts';
import type { LinkKind } from '../../../../lib/document/markdown/read/read-context.ts';
import { referencesOf } from '../../../../lib/document/references.ts';
import { stableUrl } from '../../../../lib/document/stable-url.ts';
import { exchangeFormulas } from '../../../../lib/foreign-formats/with-formulas.ts';
import type { RepositoryPlan } from '../../../../lib/repository/plan.ts';
import { deletedTargets } from './deleted-targets.ts';
import type { BranchLayout } from './layout.ts';

/** The body of a file in the branch. */
export interface BranchFileBody {
  plan: RepositoryPlan;
  /** Its path. */
  place: string;
  /** Reads the document that it means. */
  former(): JSONDocument | undefined;
  oldLayout: BranchLayout;
  newLayout: BranchLayout;
}

/** The body of a file: a patch of the text `before`. URLs whose targets are gone stay as they are written. */
export function composeBody(before: string, body: JSONDocument | undefined, path: string, of: BranchFileBody): string {
  const document = body ?? emptyDocument();
  if (isEmptyDocument(document) && before.trim() === '') return before;
  if (isEmptyDocument(document)) return '';
  const { markdown, back } = exchangeFormulas(before, of.plan.dollars);
  const deletedRefs = goneIn(markdown, document, of);
  const means = (url: string, kind?: LinkKind) => deletedRefs.get(url) ?? of.oldLayout.refOf(of.place, url, kind);
  const patched = patchMarkdown(markdown, document, {
    ...IN_PAGES,
    resolveLink: means,
    linkTo(ref, url) {
      const address = of.newLayout.urlFor(path, ref, url);
      if (address !== undefined || !of.newLayout.lacks(ref)) return address;
      const kind = ref.kind === 'reusable-content' ? 'include' : undefined;
      return url !== undefined && isSame(means(url, kind), ref) ? url : of.newLayout.addressOfGone(ref);
    },
  });
  return back(patched);
}

/** Former targets of a text's URLs that the branch no longer has. Texts without such links are not read for it. */
function goneIn(before: string, document: JSONDocument, { place, former, oldLayout, newLayout }: BranchFileBody) {
  const isUsed = before !== '' && referencesOf(document).some(({ ref }) => newLayout.lacks(ref));
  const formerDocument = isUsed ? former() : undefined;
  if (!formerDocument) return new Map<string, ContentRef>();
  const resolve = (url: string, kind: LinkKind) => oldLayout.refOf(place, url, kind);
  return deletedTargets(before, formerDocument, { resolve, isGone: (ref) => newLayout.lacks(ref) });
}

const isSame = (a: ContentRef | undefined, b: ContentRef) => a !== undefined && stableUrl(a) === stableUrl(b);
