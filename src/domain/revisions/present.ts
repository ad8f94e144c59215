import type { Context } from '../../platform/context.ts';
import { appUrl } from '../../platform/urls.ts';
import { presentFile, readFiles } from '../files/index.ts';
import { presentPage, topPages } from '../pages/index.ts';
import type { RevisionRow } from './access.ts';

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
