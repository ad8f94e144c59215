import { z } from 'zod';
import type { Context } from '../../platform/context.ts';
import { addressIn, anyMembers, idIn, namedShape, objectIs, timeIn } from '../../platform/shapes.ts';
import { appUrl } from '../../platform/urls.ts';
import { fileShape, presentFile, readFiles } from '../files/index.ts';
import { pageShape, presentPage, topPages } from '../pages/index.ts';
import type { RevisionRow } from './access.ts';
import { revisionType } from './enums.ts';

/** REST's Revision: the whole tree and all files, without bodies. `metadata=false` leaves git's out. */
export async function presentRevision(revision: RevisionRow, ctx: Context, { metadata }: { metadata: boolean }) {
  const [pages, files] = await Promise.all([topPages(ctx, revision), readFiles(ctx, revision)]);
  const { git } = revision;
  return {
    object: 'revision',
    id: revision.id,
    type: revision.type,
    parents: revision.parents,
    pages: await Promise.all(pages.map((page) => presentPage(page, ctx))),
    files: files.map((file) => presentFile(file, ctx, revision.organization_id)),
    // The tables of reusable contents and variables have no writer yet, so every revision has none.
    reusableContents: [],
    variables: {},
    tags: [],
    createdAt: revision.created_at,
    ...(git && metadata ? { git: { ...git, createdByGitBook: git.createdByService } } : {}),
    urls: { app: appUrl(ctx, `/spaces/${revision.space_id}/revisions/${revision.id}`) },
  };
}

const gitShape = z
  .object({
    oid: z.string().describe('Hash of the commit.'),
    message: z.string().describe('Its message.'),
    createdByService: z.boolean().describe('Whether this service made it.'),
    createdByGitBook: z.boolean().describe('The same, by the name that older clients know.'),
    url: z.string().optional().describe('Where it can be seen.'),
    ref: z.string().optional().describe('The branch.'),
  })
  .describe('The commit that it was synchronized with.');

export const revisionShape = namedShape('Revision', 'A state of the content of a space. It never changes.', {
  object: objectIs('revision'),
  id: idIn('rev'),
  type: revisionType.describe('How it came to be.'),
  parents: z.array(idIn('rev', 'A revision.')).describe('The revisions that it was made from.'),
  pages: z.array(pageShape).describe('The pages at the top level, in order.'),
  files: z.array(fileShape).describe('All files.'),
  reusableContents: z.array(anyMembers('A reusable content.')).describe('All reusable contents.'),
  variables: anyMembers('Values that expressions may use.'),
  tags: z.array(anyMembers('A tag.')).describe('All tags.'),
  createdAt: timeIn('When it was made.'),
  git: gitShape.optional(),
  urls: z.object({ app: addressIn('Where people see it.') }).describe('Addresses.'),
});
