import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { addressIn, anyMembers, countIn, idIn, namedShape, objectIs, timeIn } from '../../../platform/shapes.ts';
import { presentUser, userShape } from '../../people/users/index.ts';
import { readFiles, readReusableContents, variablesOf } from '../../store/manifests/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { revisionType } from '../../store/revisions/index.ts';
import { changeRequestShape, loadChangeRequest, presentChangeRequest } from '../change-requests/index.ts';
import { fileShape, presentFile } from '../files/index.ts';
import { pageShape, presentPage, topPages } from '../pages/index.ts';
import { presentReusableContent, reusableContentShape } from '../reusable-contents/index.ts';
import { authorOf, revisionUrls } from '../revisions/index.ts';

/** REST's Revision: the whole tree and all files, without bodies. `metadata=false` leaves git's out. */
export async function presentRevision(revision: RevisionRow, ctx: Context, { metadata }: { metadata: boolean }) {
  const [pages, files, reusableContents, variables] = await Promise.all([
    topPages(ctx, revision),
    readFiles(ctx, revision),
    readReusableContents(ctx, revision),
    variablesOf(ctx, revision),
  ]);
  const { git } = revision;
  const mergedFrom = await mergedFromOf(revision, ctx);
  return {
    object: 'revision',
    id: revision.id,
    type: revision.type,
    parents: revision.parents,
    pages: await Promise.all(pages.map((page) => presentPage(page, ctx))),
    files: files.map((file) => presentFile(file, ctx, revision.organizationId)),
    reusableContents: reusableContents.map(presentReusableContent),
    variables,
    tags: [],
    createdAt: revision.createdAt,
    ...(git && metadata ? { git: commitOf(git) } : {}),
    ...(mergedFrom && { mergedFrom }),
    urls: { app: revisionUrls(revision, ctx).app },
  };
}

/** A revision as an entry of its space's history: about it, without its content. */
export async function presentInHistory(revision: RevisionRow, ctx: Context) {
  const [author, mergedFrom] = await Promise.all([authorOf(revision, ctx), mergedFromOf(revision, ctx)]);
  const { git, summary } = revision;
  return {
    object: 'revision',
    id: revision.id,
    type: revision.type,
    parents: revision.parents,
    createdAt: revision.createdAt,
    ...(author && { createdBy: presentUser(author, ctx) }),
    ...(mergedFrom && { mergedFrom }),
    ...(summary && { summary }),
    ...(git && { git: commitOf(git) }),
    urls: revisionUrls(revision, ctx),
  };
}

async function mergedFromOf({ mergedFromId }: RevisionRow, ctx: Context) {
  const changeRequest = mergedFromId === null ? undefined : await loadChangeRequest(ctx, mergedFromId);
  return changeRequest && presentChangeRequest(changeRequest, ctx);
}

const commitOf = (git: NonNullable<RevisionRow['git']>) => ({ ...git, createdByGitBook: git.createdByService });

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

const mergedFromShape = changeRequestShape
  .optional()
  .describe('The change request that it brought in; on a merge, where you may see that.');

export const revisionShape = namedShape('Revision', 'A state of the content of a space. It never changes.', {
  object: objectIs('revision'),
  id: idIn('rev'),
  type: revisionType.describe('How it came to be.'),
  parents: z.array(idIn('rev', 'A revision.')).describe('The revisions that it was made from.'),
  pages: z.array(pageShape).describe('The pages at the top level, in order.'),
  files: z.array(fileShape).describe('All files.'),
  reusableContents: z.array(reusableContentShape).describe('All reusable contents.'),
  variables: anyMembers('Values that expressions may use.'),
  tags: z.array(anyMembers('A tag.')).describe('All tags.'),
  createdAt: timeIn('When it was made.'),
  git: gitShape.optional(),
  mergedFrom: mergedFromShape,
  urls: z.object({ app: addressIn('Where people see it.') }).describe('Addresses.'),
});

const summaryShape = z
  .object({
    pages: z
      .object({
        created: countIn('Pages that are new.'),
        edited: countIn('Pages whose fields or body differ.'),
        moved: countIn('Pages at another place in the tree, those below them not counted.'),
        deleted: countIn('Pages that are gone.'),
      })
      .describe('How many pages differ.'),
    filesChanged: z.boolean().describe('Whether the files differ.'),
    reusableContentsChanged: z.boolean().describe('Whether the reusable contents differ.'),
    variablesChanged: z.boolean().describe('Whether the variables differ.'),
  })
  .describe('What it changed; absent on the first.');

export const historyShape = namedShape('RevisionInHistory', 'An entry in the history of a space.', {
  object: objectIs('revision'),
  id: idIn('rev'),
  type: revisionType.describe('How it came to be.'),
  parents: z.array(idIn('rev', 'A revision.')).describe('The revisions that it was made from.'),
  createdAt: timeIn('When it was made.'),
  createdBy: userShape.optional().describe('Who made it.'),
  mergedFrom: mergedFromShape,
  summary: summaryShape.optional(),
  git: gitShape.optional(),
  urls: z
    .object({ location: addressIn('Where it is in REST.'), app: addressIn('Where people see it.') })
    .describe('Addresses.'),
});
