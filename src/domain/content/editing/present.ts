import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { addressIn, idIn, namedShape, objectIs } from '../../../platform/shapes.ts';
import { locationUrl } from '../../../platform/urls.ts';
import { filesIn } from '../../store/manifests/index.ts';
import { fileShape, presentFile } from '../files/index.ts';
import { loadRevision } from '../revisions/index.ts';
import { type AppliedChange, targetsOf } from './applied-change.ts';

/** What an edit of content did. */
export interface ContentUpdate {
  spaceId: string;
  revisionId: string;
  applied: AppliedChange[];
}

/** What was done, in the words of REST's content update: inserted files stand by themselves. */
export async function presentUpdate({ spaceId, revisionId, applied }: ContentUpdate, ctx: Context) {
  const insertedFiles = await presentInsertedFiles(revisionId, targetsOf(applied, 'file', 'created'), ctx);
  return {
    changes: applied
      .filter(({ what, action }) => what !== 'file' || action !== 'created')
      .map((change) => presentChange(spaceId, change, ctx)),
    ...(insertedFiles.length > 0 && { insertedFiles }),
  };
}

async function presentInsertedFiles(revisionId: string, fileIds: string[], ctx: Context) {
  if (fileIds.length === 0) return [];
  const revision = await loadRevision(ctx, revisionId);
  const found = revision ? await filesIn(ctx, revision, fileIds) : new Map<string, never>();
  return fileIds.flatMap((id) => {
    const file = found.get(id);
    return file ? [presentFile(file, ctx, file.organizationId)] : [];
  });
}

const OBJECTS = { created: 'created', updated: 'updated', moved: 'updated', deleted: 'deleted' } as const;

const PLACES = {
  page: { name: 'page', path: 'page' },
  file: { name: 'file', path: 'files' },
  'reusable-content': { name: 'reusableContent', path: 'reusable-contents' },
} as const;

function presentChange(spaceId: string, { action, what, target, ref }: AppliedChange, ctx: Context) {
  const object = `${OBJECTS[action]}_${what.replace('-', '_')}`;
  if (what === 'variable') return { object, variable: target };
  const { name, path } = PLACES[what];
  const location = locationUrl(ctx, `/v1/spaces/${spaceId}/content/${path}/${target}`);
  return {
    object,
    ...(ref === undefined ? {} : { ref }),
    [name]: action === 'deleted' ? target : { object: what, id: target, urls: { location } },
  };
}

const changed = <const Name extends string>(name: Name) =>
  z.union([
    z.object({
      object: objectIs(name),
      id: z.string().describe('Its id, the same in all revisions.'),
      urls: z.object({ location: addressIn('Where it is in REST.') }).describe('Addresses.'),
    }),
    z.string(),
  ]);

const appliedChange = namedShape('AppliedChange', 'What a change did: one of the members after `ref` says to what.', {
  object: z
    .enum([
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
    ])
    .describe('What was done.'),
  ref: z.string().optional().describe('The `ref` that the change gave.'),
  page: changed('page').optional().describe('The page; of a deleted one its id alone.'),
  file: changed('file').optional().describe('The file; of a deleted one its id alone.'),
  reusableContent: changed('reusable-content').optional().describe('The content; of a deleted one its id alone.'),
  variable: z.string().optional().describe('Name of the variable.'),
});

/** The members of `presentUpdate`. */
export const updateMembers = {
  changes: z.array(appliedChange).describe('What each change did, in their order; inserted files are not among it.'),
  insertedFiles: z.array(fileShape).optional().describe('The files that were inserted, in their order.'),
};

export const updateShape = namedShape('ContentUpdate', 'What an edit did.', {
  revision: idIn('rev', 'The new revision.'),
  ...updateMembers,
});
