import type { ContentRef } from '../../../../lib/document/content-ref.ts';
import type { JSONDocument } from '../../../../lib/document/document.ts';
import { emptyDocument, isEmptyDocument } from '../../../../lib/document/empty.ts';
import { IN_PAGES } from '../../../../lib/document/markdown/forms.ts';
import { patchMarkdown } from '../../../../lib/document/markdown/patch/patch-markdown.ts';
import { stableUrl } from '../../../../lib/document/stable-url.ts';
import { exchangeFormulas } from '../../../../lib/exports/with-formulas.ts';
import { splitFrontMatter } from '../../../../lib/front-matter.ts';
import { readContent } from '../../../../lib/repository/included-content.ts';
import type { RepositoryPlan } from '../../../../lib/repository/plan.ts';
import type { PlannedPage } from '../../../../lib/repository/planned-page.ts';
import { takeTitle } from '../../../../lib/repository/title.ts';
import { settingsChanges } from '../../../../lib/repository/write/page-settings-changes.ts';
import { frontMatterOf, patchHead } from '../../../../lib/repository/write/patch-head.ts';
import { linesIn, writtenParts } from '../../../../lib/repository/written-parts.ts';
import type { Layout } from './layout.ts';
import type { TargetContent, TargetPage } from './target.ts';

/** The file of a page as it stands in the branch. */
export interface Written {
  plan: RepositoryPlan;
  /** The page as the branch has it. */
  page: PlannedPage | undefined;
  /** Its text. */
  text: string | undefined;
  /** Its path. */
  before?: string | undefined;
  /** Titles of pages that the table of contents will have, by page id. */
  titles: ReadonlyMap<string, string>;
  written: Layout;
  wanted: Layout;
}

/** The file of a page: a patch of the file as it stands in the branch, or a new one. */
export function composePage(page: TargetPage, body: JSONDocument | undefined, path: string, of: Written): string {
  const { text = '', titles, wanted } = of;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const { head, body: before, heading } = partsOf(text);
  const urlOf = (ref: ContentRef) => wanted.urlFor(path, ref) ?? stableUrl(ref);
  const settings = settingsChanges(fieldsOf(of), page.fields, urlOf);
  const shown = heading ?? (of.text === undefined ? undefined : titles.get(page.pageId));
  const title = shown === page.title ? undefined : page.title;
  const patched = patchHead(head, { settings, title }, lineEnd);
  const written = composeBody(before, body, path, of);
  // A heading that had no text below it gets a blank line.
  const isOpen = before.trim() === '' && written !== '' && patched !== '' && !/\n\r?\n$/.test(patched);
  return patched + (isOpen && !/^\r?\n/.test(written) ? lineEnd : '') + written;
}

/** The file of a reusable content. Its title is that of the front matter, or of the name of the file. */
export function composeContent(
  content: TargetContent,
  body: JSONDocument | undefined,
  path: string,
  of: Pick<Written, 'text' | 'before' | 'written' | 'wanted' | 'plan'>,
): string {
  const { text = '' } = of;
  const { title, written } = readContent(text, path);
  const settings = new Map(title === content.title ? [] : [['title', content.title]]);
  const head = patchHead(written.head, { settings }, text.includes('\r\n') ? '\r\n' : '\n');
  return head + composeBody(written.body, body, path, of);
}

function composeBody(
  before: string,
  body: JSONDocument | undefined,
  path: string,
  { plan, written, wanted, before: place = path }: Pick<Written, 'plan' | 'written' | 'wanted' | 'before'>,
): string {
  const document = body ?? emptyDocument();
  if (isEmptyDocument(document) && before.trim() === '') return before;
  if (isEmptyDocument(document)) return '';
  const { markdown, back } = exchangeFormulas(before, plan.dollars);
  const patched = patchMarkdown(markdown, document, {
    ...IN_PAGES,
    resolveLink: (url, kind) => written.refOf(place, url, kind),
    linkTo: (ref, url) => wanted.urlFor(path, ref, url),
  });
  return back(patched);
}

/** Front matter and heading, and the body. A title in the middle of the text becomes the first line. */
function partsOf(text: string): { head: string; body: string; heading?: string } {
  const { body: withTitle } = splitFrontMatter(text);
  const { title, body, removed } = takeTitle(withTitle);
  const bodyLine = linesIn(text) - linesIn(withTitle) + removed + 1;
  const written = writtenParts(text, body, bodyLine);
  const heading = title === undefined ? {} : { heading: title };
  if (written.head + written.body === text) return { ...written, ...heading };
  return { head: frontMatterOf(text), body };
}

/** The fields that the front matter of the file means. */
function fieldsOf({ page, written }: Written): Record<string, unknown> {
  if (!page) return {};
  const { description, icon, condition, hidden, noIndex, noRobotsIndex, variables, layout, tags, cover } = page;
  const refOf = (target: NonNullable<typeof cover>['ref']) => target && written.refOfTarget(target);
  return {
    description,
    icon,
    condition,
    hidden,
    noIndex,
    noRobotsIndex,
    variables,
    layout,
    tags: tags?.map(({ name, isPrimary }) => ({
      tag: { kind: 'tag', tag: name },
      ...(isPrimary && { primary: true }),
    })),
    cover: cover && { ...cover, ref: refOf(cover.ref), refDark: refOf(cover.refDark) },
  };
}
