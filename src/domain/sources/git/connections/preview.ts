import type { Context } from '../../../../platform/context/context.ts';
import type { GitPreview, GitPreviewChange } from '../../../store/git-sync/index.ts';
import { readFiles } from '../../../store/manifests/index.ts';
import type { RevisionRow } from '../../../store/revisions/index.ts';
import { loadVisibleTree } from '../../../store/trees/index.ts';
import type { GitRunRow } from '../access.ts';
import { loadHead } from '../runs/sync-state.ts';

const MAX_CHANGES = 1_000;

/**
 * Changes that importing the content of a branch would make to the space. Pages are compared by path, files by name.
 */
export async function previewImport(ctx: Context, run: GitRunRow, branch: RevisionRow): Promise<GitPreview> {
  const head = await loadHead(ctx.db, run.spaceId);
  return counted([
    ...changesBetween('page', await pagesOf(ctx, head), await pagesOf(ctx, branch)),
    ...changesBetween('file', await filesOf(ctx, head), await filesOf(ctx, branch)),
  ]);
}

/** Changes that exporting the content of a space would make to the files of the branch. */
export function previewExport(
  files: readonly { path: string }[],
  changes: readonly { path: string; place: string | null }[],
): GitPreview {
  const present = new Set(files.map(({ path }) => path));
  return counted(
    changes.map(({ path, place }) => {
      if (place === null) return { kind: 'file', change: 'removed', path };
      return { kind: 'file', change: present.has(path) ? 'changed' : 'added', path };
    }),
  );
}

/** Titles and bodies by path. Groups without a path are only part of the table of contents. */
async function pagesOf(ctx: Context, revision: RevisionRow): Promise<Map<string, string>> {
  const pages = await loadVisibleTree(ctx, revision);
  return new Map(
    pages.flatMap(({ path, node, documentHash }) =>
      path === null ? [] : [[path, `${node.fields.title} ${documentHash}`] as const],
    ),
  );
}

const filesOf = async (ctx: Context, revision: RevisionRow) =>
  new Map((await readFiles(ctx, revision)).map(({ name, blob }) => [name, blob]));

function changesBetween(
  kind: GitPreviewChange['kind'],
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): GitPreviewChange[] {
  const changed = [...after].flatMap(([path, content]): GitPreviewChange[] => {
    if (!before.has(path)) return [{ kind, change: 'added', path }];
    return before.get(path) === content ? [] : [{ kind, change: 'changed', path }];
  });
  const removed = [...before.keys()].filter((path) => !after.has(path));
  return [...changed, ...removed.map((path) => ({ kind, change: 'removed' as const, path }))];
}

function counted(changes: readonly GitPreviewChange[]): GitPreview {
  const count = (kind: GitPreviewChange['kind'], change: GitPreviewChange['change']) =>
    changes.filter((each) => each.kind === kind && each.change === change).length;
  return {
    pagesAdded: count('page', 'added'),
    pagesChanged: count('page', 'changed'),
    pagesRemoved: count('page', 'removed'),
    filesAdded: count('file', 'added'),
    filesChanged: count('file', 'changed'),
    filesRemoved: count('file', 'removed'),
    changes: changes.slice(0, MAX_CHANGES),
  };
}
