import type { PageTag } from '../../../lib/repository/page-settings.ts';
import type { ReportEntry } from '../../../lib/repository/report.ts';
import { makeYielder } from '../../../lib/tick.ts';
import { openTree, type TreeEditor } from '../../../lib/tree/edit.ts';
import { TreeError } from '../../../lib/tree/error.ts';
import { exceptNew, type PathLookup } from '../../../lib/tree/paths.ts';
import { remember } from '../../../lib/tree/source.ts';
import { userIdOf } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { lockContentShared } from '../../store/heads/index.ts';
import type { FileEntry } from '../../store/manifests/index.ts';
import { insertRevision, type RevisionRow, toHex } from '../../store/revisions/index.ts';
import { nodeSource, writeNodes } from '../../store/trees/index.ts';
import { rejectHiddenSpecsIn } from '../visibility/index.ts';
import type { ReadPage } from './read-repository.ts';
import { storeBodies } from './store-bodies.ts';
import type { StoredRepository } from './store-files.ts';
import { writeContents, writeFiles, writeTags, writeVariables } from './write-manifests.ts';

export interface WrittenImport {
  revision: RevisionRow;
  source: ReturnType<typeof nodeSource>;
  files: FileEntry[];
  /** Entries about variables and tags for which the revision has others with the same names. */
  report: ReportEntry[];
}

/**
 * Writes the imported pages after the top-level pages of a revision, or below the page `parentId`, as a new revision.
 * The empty initial page of a new space is removed. The caller holds the row lock of the head that it is going to move.
 */
export async function writeRepository(
  ctx: Context,
  base: RevisionRow,
  repository: StoredRepository,
  options: { lookup?: PathLookup; changeRequestId?: string; parentId?: string | null | undefined } = {},
): Promise<WrittenImport> {
  const organizationId = base.organizationId;
  await lockContentShared(ctx, organizationId);
  const files = await writeFiles(ctx, base, repository);
  await storeBodies(ctx, organizationId, bodiesIn([...repository.pages, ...repository.contents]));
  await rejectHiddenSpecsIn(ctx, { organizationId, spaceId: base.spaceId, revisions: [base] }, namesIn(repository), [
    'url',
  ]);
  const reusableContentsHash = await writeContents(ctx, base, repository);
  const variables = await writeVariables(ctx, base, repository);
  const tags = await writeTags(ctx, base, repository);

  const source = remember(nodeSource(ctx.db, organizationId));
  const lookup = options.lookup && exceptNew(options.lookup, new Set(repository.pages.map(({ pageId }) => pageId)));
  const tree = await openTree(toHex(base.rootHash), source, lookup);
  await insertPages(tree, base, source, repository.pages, options.parentId);
  const { rootHash, newNodes } = tree.commit({ now: nowOf(ctx), userId: userIdOf(ctx.actor) ?? null });
  await writeNodes(ctx, organizationId, newNodes);
  source.add(newNodes);

  const revision = await insertRevision(ctx, {
    organizationId,
    spaceId: base.spaceId,
    type: 'edits',
    parents: [base.id],
    rootHash,
    filesHash: files.hash,
    reusableContentsHash,
    variablesHash: variables.hash,
    tagsHash: tags.hash,
    ...(options.changeRequestId === undefined ? {} : { changeRequestId: options.changeRequestId }),
  });
  return { revision, source, files: files.entries, report: [...variables.report, ...tags.report] };
}

/** What can name specifications. */
const namesIn = ({ pages, contents }: StoredRepository) => ({
  hashes: bodiesIn([...pages, ...contents]).map(({ hash }) => hash),
  fields: pages.map(importedFields),
});

const bodiesIn = (read: readonly Pick<ReadPage, 'body'>[]) => read.flatMap(({ body }) => body ?? []);

async function insertPages(
  tree: TreeEditor,
  base: RevisionRow,
  source: ReturnType<typeof nodeSource>,
  pages: readonly ReadPage[],
  parentId: string | null = null,
): Promise<void> {
  try {
    const initial = parentId === null ? await initialPage(base, source) : undefined;
    if (initial !== undefined) await tree.deletePage(initial);
    const pause = makeYielder();
    for (const page of pages) {
      await pause();
      await insertPage(tree, page, page.parentId ?? parentId);
    }
  } catch (error) {
    throw error instanceof TreeError ? badInput(['url'], `The source cannot be imported: ${error.message}`) : error;
  }
}

/** The empty page that a space is created with, if the space was never edited. Duplicates have no parents either. */
async function initialPage(base: RevisionRow, source: ReturnType<typeof nodeSource>): Promise<string | undefined> {
  if (base.parents.length > 0) return undefined;
  const root = (await source([toHex(base.rootHash)])).get(toHex(base.rootHash));
  const [only, ...others] = root?.children ?? [];
  if (only === undefined || others.length > 0) return undefined;
  const page = (await source([only])).get(only);
  const isInitial =
    page?.kind === 'document' &&
    page.documentHash === undefined &&
    page.children.length === 0 &&
    Object.keys(page.fields).every((name) => name === 'title' || name === 'slug');
  return isInitial ? page.pageId : undefined;
}

async function insertPage(tree: TreeEditor, page: ReadPage, parentId: string | null) {
  const { pageId, plan, body } = page;
  // Only fields of the kind are left; the tree checks them again.
  await tree.insertPage({
    kind: plan.kind,
    pageId,
    fields: importedFields(page),
    parentId,
    ...(body && { documentHash: body.hash }),
    ...(body?.sourceHash && { sourceHash: body.sourceHash }),
  } as never);
}

/** The fields of an imported page, by its kind. */
export function importedFields({ plan, target, cover }: ReadPage): Record<string, unknown> {
  const {
    kind,
    title,
    linkTitle,
    slug,
    description,
    icon,
    hidden,
    noIndex,
    noRobotsIndex,
    layout,
    condition,
    variables,
    tags,
  } = plan;
  const common = { title, linkTitle, icon, hidden, condition };
  const slugged = { ...common, slug: slug ?? undefined, noIndex, noRobotsIndex };
  return {
    document: { ...slugged, description, layout, cover, variables, tags: tags?.map(tagOf) },
    group: slugged,
    link: { ...common, target: target ?? { kind: 'url', url: plan.href ?? '' } },
  }[kind];
}

const tagOf = ({ name, isPrimary }: PageTag) => ({
  tag: { kind: 'tag', tag: name },
  ...(isPrimary && { primary: true }),
});
