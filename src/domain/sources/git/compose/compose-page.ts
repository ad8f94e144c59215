import type { ContentRef } from '../../../../lib/document/content-ref.ts';
import type { JSONDocument } from '../../../../lib/document/document.ts';
import { stableUrl } from '../../../../lib/document/stable-url.ts';
import { splitFrontMatter } from '../../../../lib/front-matter.ts';
import { recordOf } from '../../../../lib/is-record.ts';
import { cleanTitle } from '../../../../lib/repository/plain-text.ts';
import type { RepositoryPlan } from '../../../../lib/repository/plan.ts';
import { MAX_IMPORTED_BODY_CHARACTERS, type PlannedPage } from '../../../../lib/repository/planned-page.ts';
import { readContent } from '../../../../lib/repository/read-content.ts';
import { splitTitle } from '../../../../lib/repository/title.ts';
import { withoutUnreadFrontMatter } from '../../../../lib/repository/write/comment-out.ts';
import { settingsChanges } from '../../../../lib/repository/write/page-settings-changes.ts';
import { patchHead } from '../../../../lib/repository/write/patch-head.ts';
import { countLines, writtenParts } from '../../../../lib/repository/written-parts.ts';
import { composeBody } from './compose-body.ts';
import type { BranchLayout } from './layout.ts';
import type { TargetContent, TargetPage } from './target.ts';

/** The file of a page in the branch. */
export interface PageFile {
  plan: RepositoryPlan;
  /** The page as the branch has it. */
  page: PlannedPage | undefined;
  /** Its text. */
  text: string | undefined;
  /** Its path. */
  before?: string | undefined;
  /** Reads the document that its body means. */
  former(): JSONDocument | undefined;
  /** Titles of pages that the table of contents will have, by page id. */
  titles: ReadonlyMap<string, string>;
  oldLayout: BranchLayout;
  newLayout: BranchLayout;
}

/**
 * The file of a page: a patch of the file in the branch, or a new one. A body that is too large for pages stays. In a
 * file that has to change, front matter that cannot be read is replaced by the settings of the page.
 */
export function composePage(
  page: TargetPage,
  body: JSONDocument | undefined,
  path: string,
  { text, ...of }: PageFile,
): string {
  // Files that were not read stay unchanged.
  if (of.page?.tooLarge === 'file' && text !== undefined) return text;
  const patch = (unmarked: string | undefined) => patchPage(page, body, path, { ...of, text: unmarked });
  return beyondMark(text, (unmarked) =>
    unmarked !== undefined && of.page?.isUnread ? patchUnread(unmarked, patch, page) : patch(unmarked),
  );
}

/**
 * A text whose front matter cannot be read, patched without it. The text stays if the branch has the page and its links
 * already.
 */
function patchUnread(text: string, patch: (text: string) => string, { isSame }: { isSame: boolean }): string {
  const patched = patch(withoutUnreadFrontMatter(text));
  return isSame && partsOf(patched).body === partsOf(text).body ? text : patched;
}

function patchPage(page: TargetPage, body: JSONDocument | undefined, path: string, of: PageFile): string {
  const { text = '', newLayout } = of;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const { head, body: before, heading, frontMatterTitle } = partsOf(text);
  const urlOf = (ref: ContentRef) => newLayout.urlFor(path, ref) ?? newLayout.addressOfGone(ref) ?? stableUrl(ref);
  const isMoved = (ref: ContentRef) => of.before !== path && newLayout.urlFor(path, ref) !== undefined;
  const settings = settingsChanges(fieldsOf(page, of), page.fields, { urlOf, isMoved });
  if (settings.has('vars')) settings.set('vars', withUnreadVariables(of.page, settings.get('vars')));
  const currentTitle = heading ?? shownTitle(page, of);
  const isChanged = currentTitle !== page.title;
  // Without a heading, the front matter has the title, unless the table of contents has one.
  const isInFrontMatter = heading === undefined && frontMatterTitle !== undefined && frontMatterTitle === currentTitle;
  if (isChanged && isInFrontMatter) settings.set('title', page.title);
  const isKept = of.page?.tooLarge !== undefined;
  const newBody = isKept ? before : composeBody(before, body, path, { ...of, place: of.before ?? path });
  const compose = (title: string | undefined): string => {
    const patched = patchHead(head, { settings, title }, lineEnd);
    // A heading that had no text below it gets a blank line.
    const isOpen = before.trim() === '' && newBody !== '' && patched !== '' && !/\n\r?\n$/.test(patched);
    return patched + (isOpen && !/^\r?\n/.test(newBody) ? lineEnd : '') + newBody;
  };
  const composed = compose(isChanged && !isInFrontMatter ? page.title : undefined);
  // A body that begins with a heading would lose it to the title of a file without one.
  const isTaken = heading === undefined && ![undefined, page.title].includes(titleIn(composed));
  return isTaken ? compose(page.title) : composed;
}

/** Variables with those of the file that a page cannot have. */
function withUnreadVariables(page: PlannedPage | undefined, variables: unknown): unknown {
  const unread = Object.entries(recordOf(page?.frontMatter.vars)).filter(
    ([name]) => !Object.hasOwn(page?.variables ?? {}, name),
  );
  return unread.length === 0 ? variables : { ...Object.fromEntries(unread), ...recordOf(variables) };
}

/** The title that a file without a heading has already. */
const shownTitle = ({ pageId }: TargetPage, { text, titles }: PageFile) =>
  text === undefined ? undefined : titles.get(pageId);

/** The file of a reusable content. Its title is that of the front matter, or of the name of the file. */
export const composeContent = (
  content: TargetContent,
  body: JSONDocument | undefined,
  path: string,
  { text: marked, ...of }: Pick<PageFile, 'text' | 'before' | 'former' | 'oldLayout' | 'newLayout' | 'plan'>,
): string =>
  beyondMark(marked, (text = '') => {
    const { issue } = readContent(text, path);
    const patch = (before: string) => patchContent(content, body, path, { ...of, text: before });
    return issue === undefined ? patch(text) : patchUnread(text, patch, content);
  });

function patchContent(
  content: TargetContent,
  body: JSONDocument | undefined,
  path: string,
  { text, ...of }: { text: string } & Pick<PageFile, 'before' | 'former' | 'oldLayout' | 'newLayout' | 'plan'>,
): string {
  const { title, written: parts } = readContent(text, path);
  const settings = new Map(title === content.title ? [] : [['title', content.title]]);
  const head = patchHead(parts.head, { settings }, text.includes('\r\n') ? '\r\n' : '\n');
  if (parts.body.length > MAX_IMPORTED_BODY_CHARACTERS) return head + parts.body;
  return head + composeBody(parts.body, body, path, { ...of, place: of.before ?? path });
}

/** Patches a text and keeps the byte order mark at its beginning. */
function beyondMark(text: string | undefined, patch: (text: string | undefined) => string): string {
  return text?.startsWith(MARK) ? MARK + patch(text.slice(1)) : patch(text);
}

const MARK = '\uFEFF';

/** Front matter and heading, and the body. */
function partsOf(text: string): { head: string; body: string; heading?: string; frontMatterTitle?: string } {
  const { data, body: withTitle } = splitFrontMatter(text);
  const { title, body, removed } = splitTitle(withTitle);
  const bodyLine = countLines(text) - countLines(withTitle) + removed + 1;
  return {
    ...writtenParts(text, body, bodyLine),
    ...(title !== undefined && { heading: title }),
    ...(typeof data.title === 'string' && { frontMatterTitle: cleanTitle(data.title) }),
  };
}

const titleIn = (text: string): string | undefined => splitTitle(splitFrontMatter(text).body).title;

/** The fields that the front matter of the file means. A cover that is gone is the one that the page had. */
function fieldsOf({ former }: TargetPage, { page, oldLayout, newLayout }: PageFile): Record<string, unknown> {
  if (!page || page.isUnread) return {};
  const { description, icon, condition, hidden, noIndex, noRobotsIndex, variables, layout, tags, cover } = page;
  const oldCover = former?.cover as Partial<Record<'ref' | 'refDark', ContentRef>> | undefined; // the field of a page
  const refOf = (name: 'ref' | 'refDark') => {
    const [target, oldRef] = [cover?.[name], oldCover?.[name]];
    return target && (oldLayout.refOfTarget(target) ?? (oldRef && newLayout.lacks(oldRef) ? oldRef : undefined));
  };
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
    cover: cover && { ...cover, ref: refOf('ref'), refDark: refOf('refDark') },
  };
}
