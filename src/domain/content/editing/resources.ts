import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { types } from '../../../platform/resource/field-types.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { locationUrl } from '../../../platform/resource/urls.ts';
import { resourceTypeShape, urlShape } from '../../../platform/shapes/shapes.ts';
import { filesIn, reusableContentsIn } from '../../store/manifests/index.ts';
import { type ContentPreview, contentPreview } from '../dry-runs/index.ts';
import { fileShape, presentFile } from '../files/index.ts';
import { type ContentStep, type PageView, pagesIn } from '../pages/index.ts';
import { loadRevision } from '../revisions/index.ts';
import { type AppliedChange, affectedIds } from './edit-state/applied-change.ts';

/** Result of an edit. */
export interface ContentUpdate {
  spaceId: string;
  revisionId: string;
  /** The revision before the edit: the same if nothing changed. Results that were stored before it existed lack it. */
  previousRevisionId?: string;
  applied: AppliedChange[];
  /** What the edit would change, if it was only tried. */
  preview?: ContentPreview;
}

interface ChangeInSpace {
  spaceId: string;
  change: AppliedChange;
}

/** The value of `object`. Moves are updates in REST. */
const EFFECTS = { created: 'created', updated: 'updated', moved: 'updated', deleted: 'deleted' } as const;

const effect = z.enum([
  'created_page',
  'updated_page',
  'deleted_page',
  'updated_file',
  'deleted_file',
  'created_reusable_content',
  'updated_reusable_content',
  'deleted_reusable_content',
  'updated_variable',
  'deleted_variable',
]);

const COLLECTIONS = { page: 'page', file: 'files', 'reusable-content': 'reusable-contents' } as const;

type ContentObject = keyof typeof COLLECTIONS;

const objectShape = (what: ContentObject) =>
  z.union([
    z.object({
      object: resourceTypeShape(what),
      id: z.string().describe('ID of the object, the same in all revisions.'),
      urls: z.object({ location: urlShape('URL of the object in the REST API.') }).describe('URLs of the object.'),
    }),
    z.string(),
  ]);

/** The object that a change concerns, if it is of this kind; for a deleted one its id. */
const objectIn =
  (what: ContentObject) =>
  ({ spaceId, change: { what: kind, action, target: id } }: ChangeInSpace, ctx: Context) => {
    if (kind !== what) return undefined;
    if (action === 'deleted') return id;
    const location = locationUrl(ctx, `/v1/spaces/${spaceId}/content/${COLLECTIONS[what]}/${id}`);
    return { object: what, id, urls: { location } };
  };

const appliedChange = resource<ChangeInSpace>(
  {
    name: 'AppliedChange',
    description: 'Effect of a change. Which of the other properties is present depends on `object`.',
  },
  (f) => ({
    object: f.json<string>(effect)(
      'Effect of the change.',
      ({ change: { action, what } }) => `${EFFECTS[action]}_${what.replace('-', '_')}`,
    ),
    ref: f.string.optional('`ref` of the change.', ({ change }) => change.ref),
    page: f.json(objectShape('page')).optional('The page, or the ID of a deleted page.', objectIn('page')),
    file: f.json(objectShape('file')).optional('The file, or the ID of a deleted file.', objectIn('file')),
    reusableContent: f
      .json(objectShape('reusable-content'))
      .optional('The reusable content, or the ID of a deleted one.', objectIn('reusable-content')),
    variable: f.string.optional('Name of the variable.', ({ change: { what, target } }) =>
      what === 'variable' ? target : undefined,
    ),
  }),
);

/** The result of an edit: the body of the response in REST, part of the payload of the mutations in the graph. */
export const contentUpdate = resource<ContentUpdate>(
  { name: 'ContentUpdate', description: 'Result of an edit.' },
  (f) => ({
    revision: f.id('rev')(
      'ID of the new revision, or of the previous one if nothing changed.',
      (row) => row.revisionId,
      {
        graph: false,
      },
    ),
    pageIds: f.list(types.id('page'))(
      'IDs of the affected pages, in the order of the changes.',
      ({ applied }) => affectedIds(applied, 'page'),
      { rest: false },
    ),
    changes: f.list(types.object(() => appliedChange))(
      'Effects of the changes, in their order. Inserted files are in `insertedFiles` instead.',
      ({ spaceId, applied }) =>
        applied
          .filter(({ what, action }) => what !== 'file' || action !== 'created')
          .map((change) => ({ spaceId, change })),
      { graph: false },
    ),
    preview: f
      .object(() => contentPreview)
      .optional(
        'Changes that the edit would make. Only with `dryRun`: then nothing is changed.',
        ({ preview }) => preview,
      ),
    insertedFiles: f.json(z.array(fileShape)).optional(
      'Inserted files, in the order of the changes. Left out if there are none.',
      async (update, ctx) => {
        const files = await insertedFiles(update, ctx);
        return files.length > 0 ? files.map((file) => presentFile(file, ctx, file.organizationId)) : undefined;
      },
      { graph: false },
    ),
  }),
);

export const insertedFiles = (update: ContentUpdate, ctx: Context) => inserted(update, 'file', filesIn, ctx);

export const insertedReusableContents = (update: ContentUpdate, ctx: Context) =>
  inserted(update, 'reusable-content', reusableContentsIn, ctx);

/**
 * The pages that an edit created, changed or moved, in the order of the changes, as pages of the current content of a
 * space or change request.
 */
export async function affectedPages(
  { revisionId, applied }: ContentUpdate,
  ownerId: string,
  ctx: Context,
): Promise<PageView[]> {
  const pageIds = new Set(affectedIds(applied, 'page'));
  const revision = pageIds.size === 0 ? undefined : await loadRevision(ctx, revisionId);
  return revision ? pagesIn(ctx, { ...revision, currentOf: ownerId }, [...pageIds]) : [];
}

/** The edit by its revisions. Undefined if nothing changed. */
export async function stepOf(
  { revisionId, previousRevisionId }: ContentUpdate,
  ownerId: string,
  ctx: Context,
): Promise<ContentStep | undefined> {
  if (previousRevisionId === undefined || previousRevisionId === revisionId) return undefined;
  const [before, after] = await Promise.all([loadRevision(ctx, previousRevisionId), loadRevision(ctx, revisionId)]);
  return before && after && { ownerId, before, after };
}

type Revision = NonNullable<Awaited<ReturnType<typeof loadRevision>>>;

/** The new objects of one kind, in the order of the changes. */
async function inserted<Row>(
  { revisionId, applied }: ContentUpdate,
  what: AppliedChange['what'],
  load: (ctx: Context, revision: Revision, ids: string[]) => Promise<Map<string, Row>>,
  ctx: Context,
): Promise<Row[]> {
  const ids = affectedIds(applied, what, 'created');
  const revision = ids.length === 0 ? undefined : await loadRevision(ctx, revisionId);
  if (!revision) return [];
  const rows = await load(ctx, revision, ids);
  return ids.flatMap((id) => rows.get(id) ?? []);
}
