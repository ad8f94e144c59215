import { z } from 'zod';
import { types } from '../../../platform/resource/field-types.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { namedEnum } from '../../../platform/shapes/named-enum.ts';
import {
  type BrokenLinkPreview,
  type ContentPreview,
  MAX_CHANGED_LINES,
  MAX_PREVIEWED,
  type PagePreview,
} from './preview.ts';

const effect = namedEnum('PagePreviewEffect', 'Effect of a tried command on a page.', {
  created: 'The page would be created.',
  updated: 'Fields or the body of the page would change. It can be moved, too.',
  moved: 'The page would have another parent or another position.',
  deleted: 'The page would be deleted.',
});

const pagePreview = resource<PagePreview>(
  { name: 'PagePreview', description: 'Changes of a page by a command that was only tried.' },
  (f) => ({
    pageId: f.id('page')(
      'ID of the page within its space. A page that an edit inserts gets another one when the command runs.',
      ({ pageId }) => pageId,
    ),
    title: f.string('Title of the page, after the command if it would still exist.', ({ title }) => title),
    effect: f.enum(effect)('Effect on the page.', (page) => page.effect),
    fields: f.list(types.string)(
      'Names of the fields that would change, with `document` for the body. Empty unless the page is updated.',
      ({ fields }) => fields,
    ),
    diff: f.string.nullable(
      `Differences of the text of the page as a unified diff, without the title. Null if the text does not change, if the diff exceeds ${MAX_CHANGED_LINES} removed and added lines or 20,000 characters, or if earlier pages have used up the total of all texts or diffs.`,
      ({ diff }) => diff,
    ),
  }),
);

const brokenLinkPreview = resource<BrokenLinkPreview>(
  { name: 'BrokenLinkPreview', description: 'A link that a command would add broken, or break.' },
  (f) => ({
    locationId: f.id()(
      'ID of the page or reusable content with the link. One that an edit inserts gets another ID when the command runs.',
      ({ locationId }) => locationId,
    ),
    blockKey: f.string.nullable(
      'Key of the block with the link. Null for links in fields of a page.',
      ({ blockKey }) => blockKey,
    ),
    ref: f.jsonObject(z.record(z.string(), z.unknown()))(
      'The reference: `{ kind, … }` with the properties of its kind.',
      ({ ref: { operation: _, ...ref } }) => ref,
    ),
  }),
);

export const contentPreview = resource<ContentPreview>(
  { name: 'ContentPreview', description: 'Changes of content by a command that was only tried, with `dryRun`.' },
  (f) => ({
    pages: f.list(types.object(() => pagePreview))(
      `Pages that would change, the first ${MAX_PREVIEWED}.`,
      ({ pages }) => pages,
    ),
    pagesCount: f.count('Number of pages that would change.', ({ pagesCount }) => pagesCount),
    hasFileChanges: f.boolean('Whether files would change.', (preview) => preview.hasFileChanges),
    hasReusableContentChanges: f.boolean(
      'Whether reusable contents would change.',
      (preview) => preview.hasReusableContentChanges,
    ),
    hasVariableChanges: f.boolean('Whether variables would change.', (preview) => preview.hasVariableChanges),
    brokenLinks: f.list(types.object(() => brokenLinkPreview))(
      `Links that would be broken and are not broken now, the first ${MAX_PREVIEWED}.`,
      ({ brokenLinks }) => brokenLinks,
    ),
    brokenLinksCount: f.count.nullable(
      'Number of these links. Null, with an empty list, if the content has more than 1,000 broken links before or after the command: they are not compared.',
      ({ brokenLinksCount }) => brokenLinksCount,
    ),
  }),
);
