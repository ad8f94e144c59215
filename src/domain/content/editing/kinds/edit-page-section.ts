import { z } from 'zod';
import { anchorIds } from '../../../../lib/document/anchors.ts';
import type { OutlineHeading, TextOutline } from '../../../../lib/document/markdown/edit/outline-text.ts';
import { type SectionChange, sectionSplices } from '../../../../lib/document/markdown/edit/section-splices.ts';
import type { Splice } from '../../../../lib/document/markdown/edit/splice.ts';
import { trimStartOf } from '../../../../lib/trim-characters.ts';
import { withCode } from '../../../../lib/validation/issue-code.ts';
import { badInput, conflict } from '../../../../platform/errors/errors.ts';
import { type EditTarget, editedPage, outlineIn, partialEdit } from './partial-edit.ts';

const markdown = z.string().max(200_000);

const input = z
  .strictObject({
    ...editedPage,
    anchor: z
      .string()
      .min(1)
      .max(1_000)
      .nullish()
      .describe('Anchor of the heading of the section, as `pageOutline` returns it, or one that links may use.'),
    headings: z
      .array(z.string().max(1_000))
      .min(1)
      .max(6)
      .nullish()
      .describe(
        'Texts of headings that identify the section, the last one its own: `["Setup"]`, or `["Linux", "Setup"]` if several sections have the same heading.',
      ),
    sectionVersion: z
      .string()
      .max(100)
      .nullish()
      .describe(
        'Version of the section, as `pageOutline` returns it. CONFLICT, with the current version, if the section has another one.',
      ),
    replaceWith: markdown
      .nullish()
      .describe(
        'New Markdown below the heading, up to 200,000 characters. Replaces subsections too; the heading is kept.',
      ),
    append: markdown
      .nullish()
      .describe('Markdown to add at the end of the section, after its subsections, up to 200,000 characters.'),
    delete: z.boolean().nullish().describe('Whether to delete the section with its heading and its subsections.'),
  })
  .refine(({ anchor, headings }) => (anchor == null) !== (headings == null), {
    error: 'must have exactly one of anchor and headings.',
    ...withCode('ONE_OF'),
  })
  .refine(
    (change) => [change.replaceWith, change.append, change.delete || null].filter((each) => each != null).length === 1,
    {
      error: 'must have exactly one of replaceWith, append and delete: true.',
      ...withCode('ONE_OF'),
    },
  )
  .meta({
    inputName: 'EditPageSectionInput',
    description:
      'Replaces or deletes the section under a heading in the body of a page, or appends to it. The section ends at the next heading of the same or a higher level. Everything else is unchanged, byte for byte.',
  });

export const editPageSection = partialEdit({ input, isContained: true, splicesOf });

type Change = z.output<typeof input>;

async function splicesOf(target: EditTarget<Change>): Promise<Splice[]> {
  const { page, change, path } = target;
  const section = findSection(target, await outlineIn(target));
  if (change.sectionVersion != null && change.sectionVersion !== section.version) {
    throw conflict(
      `${path.join('.')}: The section "${section.title}" of the page "${page.pageId}" has the version "${section.version}", not "${change.sectionVersion}": it has changed since it was read. Read it again (pageOutline, pageText), and send the edit with the current version.`,
    );
  }
  return sectionSplices(page.text, section, changeIn(change));
}

function changeIn({ replaceWith, append }: Change): SectionChange {
  if (replaceWith != null) return { replaceWith };
  return append == null ? 'delete' : { append };
}

function findSection({ page, change, path }: EditTarget<Change>, { headings }: TextOutline): OutlineHeading {
  if (change.anchor != null) {
    const requestedAnchor = trimStartOf(change.anchor, '#');
    const id = anchorIds(page.document).get(requestedAnchor) ?? requestedAnchor;
    const heading = headings.find(({ anchor }) => anchor === id);
    if (heading) return heading;
    throw badInput(
      [...path, 'anchor'],
      `is not the anchor of a section: "${requestedAnchor}". ${describeSections(headings)}`,
    );
  }
  const requestedTitles = (change.headings ?? []).map((title) => title.trim());
  const hits = withAncestors(headings).filter(({ titles }) => endsWith(titles, requestedTitles));
  const [first, second] = hits;
  if (first && !second) return first.heading;
  const place = [...path, 'headings'];
  if (!first) throw badInput(place, `match no section. ${describeSections(headings)}`);
  throw badInput(
    place,
    `match ${hits.length} sections: ${named(hits.map(({ heading }) => heading))}. Send the anchor of one of them.`,
  );
}

/** The headings with the texts of those above them and their own. */
function withAncestors(headings: readonly OutlineHeading[]): { heading: OutlineHeading; titles: string[] }[] {
  const open: OutlineHeading[] = [];
  return headings.map((heading) => {
    while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop();
    open.push(heading);
    return { heading, titles: open.map(({ title }) => title) };
  });
}

const endsWith = (titles: readonly string[], ending: readonly string[]): boolean =>
  ending.length <= titles.length && ending.every((title, i) => titles[titles.length - ending.length + i] === title);

const MAX_NAMED = 5;

function named(headings: readonly OutlineHeading[]): string {
  const some = headings
    .slice(0, MAX_NAMED)
    .map(({ anchor, firstLine }) => `"${anchor.slice(0, 50)}" (line ${firstLine + 1})`);
  return some.join(', ') + (headings.length > MAX_NAMED ? ', …' : '');
}

const describeSections = (headings: readonly OutlineHeading[]): string =>
  headings.length === 0
    ? 'The page has no headings outside of other blocks.'
    : `The sections of the page are ${named(headings)}. pageOutline lists all.`;
