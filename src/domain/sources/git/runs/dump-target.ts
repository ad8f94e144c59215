import { canonicalJson } from '../../../../lib/canonical.ts';
import type { ContentRef } from '../../../../lib/document/content-ref.ts';
import { isReadme } from '../../../../lib/repository/repository-path.ts';
import { makeYielder } from '../../../../lib/tick.ts';
import type { LoadedPage } from '../../../../lib/tree/rows.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { documentSource } from '../../../store/bodies/index.ts';
import { readReusableContents, tagsOf, variablesOf } from '../../../store/manifests/index.ts';
import type { RevisionRow } from '../../../store/revisions/index.ts';
import { loadVisibleTree } from '../../../store/trees/index.ts';
import { BodyWriter } from '../compose/content-file.ts';
import type { BranchContent, TargetContent, TargetPage } from '../compose/target.ts';

const BODIES_PER_BATCH = 50;

/**
 * Writes the bodies of a revision to a folder and answers its content, with the given files. `branch` is the content
 * that the branch has, with the paths of its pages.
 */
export async function dumpTarget(
  ctx: Context,
  revision: RevisionRow,
  {
    branch,
    files,
    folder,
  }: {
    branch: { revision: RevisionRow; paths: ReadonlyMap<string, string> } | undefined;
    files: Pick<BranchContent, 'files' | 'leftOut'>;
    folder: string;
  },
): Promise<BranchContent> {
  const writer = await BodyWriter.open(folder);
  try {
    return { ...(await dump(ctx, revision, branch, writer)), ...files };
  } finally {
    await writer.close();
  }
}

async function dump(
  ctx: Context,
  revision: RevisionRow,
  branch: Parameters<typeof dumpTarget>[2]['branch'],
  writer: BodyWriter,
): Promise<Omit<BranchContent, 'files' | 'leftOut'>> {
  const loaded = await loadVisibleTree(ctx, revision);
  const former = new Former(branch ? await loadVisibleTree(ctx, branch.revision) : [], branch?.paths ?? new Map());
  const all = await readReusableContents(ctx, revision);
  const contents = all.filter(({ computed }) => computed === undefined);
  const formerContents = branch ? await readReusableContents(ctx, branch.revision) : [];
  const formerById = new Map(formerContents.map((content) => [content.id, content]));
  const bodies = await writeBodies(
    ctx,
    revision.organizationId,
    [
      ...[...loaded, ...contents].flatMap(({ documentHash }) => documentHash ?? []),
      ...loaded.flatMap(({ pageId }) => former.pageOf(pageId)?.documentHash ?? []),
      ...contents.flatMap(({ id }) => formerById.get(id)?.documentHash ?? []),
    ],
    writer,
  );
  const sections = new Set(
    loaded.flatMap(({ parentId, kind }) => (parentId !== null && kind === 'document' ? [parentId] : [])),
  );
  return {
    pages: inOrder(loaded).map((page) => targetPage(page, former, sections.has(page.pageId), bodies)),
    contents: contents.map(
      ({ id, title, documentHash }): TargetContent => ({
        id,
        title,
        body: bodies.get(documentHash ?? ''),
        isSame: formerById.get(id)?.documentHash === documentHash && formerById.get(id)?.title === title,
        former: { body: bodies.get(formerById.get(id)?.documentHash ?? '') },
      }),
    ),
    computedContents: all.flatMap(({ title, computed }) => (computed ? [title] : [])),
    variables: await variablesOf(ctx, revision),
    tags: await tagsOf(ctx, revision),
    ...(branch && {
      former: { variables: await variablesOf(ctx, branch.revision), tags: await tagsOf(ctx, branch.revision) },
    }),
  };
}

type Bodies = Map<string, { offset: number; length: number }>;

async function writeBodies(
  ctx: Context,
  organizationId: string,
  hashes: string[],
  writer: BodyWriter,
): Promise<Bodies> {
  const bodies: Bodies = new Map();
  const read = documentSource(ctx.db, organizationId);
  const unique = [...new Set(hashes)];
  const pause = makeYielder();
  for (let at = 0; at < unique.length; at += BODIES_PER_BATCH) {
    for (const [hash, body] of await read(unique.slice(at, at + BODIES_PER_BATCH))) {
      bodies.set(hash, await writer.write(body));
      await pause();
    }
  }
  return bodies;
}

/** Parents before their children, siblings in order. */
function inOrder(pages: readonly LoadedPage[]): LoadedPage[] {
  const children = Map.groupBy(pages, ({ parentId }) => parentId);
  const below = (parentId: string | null): LoadedPage[] =>
    (children.get(parentId) ?? [])
      .toSorted((a, b) => a.position - b.position)
      .flatMap((page) => [page, ...below(page.pageId)]);
  return below(null);
}

/** The pages that the branch has. */
class Former {
  readonly #pages: ReadonlyMap<string, LoadedPage>;
  readonly #sections: ReadonlySet<string | null>;
  readonly #paths: ReadonlyMap<string, string>;

  constructor(pages: readonly LoadedPage[], paths: ReadonlyMap<string, string>) {
    this.#pages = new Map(pages.map((page) => [page.pageId, page]));
    this.#sections = new Set(pages.filter(({ kind }) => kind === 'document').map(({ parentId }) => parentId));
    this.#paths = paths;
  }

  pageOf(pageId: string): LoadedPage | undefined {
    return this.#pages.get(pageId);
  }

  isSame({ pageId, node }: LoadedPage): boolean {
    const former = this.#pages.get(pageId)?.node;
    return (
      former?.kind === node.kind &&
      former.documentHash === node.documentHash &&
      canonicalJson(former.fields) === canonicalJson(node.fields)
    );
  }

  hasSameParent({ pageId, parentId }: LoadedPage): boolean {
    return this.#pages.get(pageId)?.parentId === parentId;
  }

  /** A page that becomes a section is moved to the README.md of its folder. A home page keeps its file. */
  isInPlace({ pageId, parentId, node }: LoadedPage, isSection: boolean): boolean {
    const former = this.#pages.get(pageId);
    if (!former) return true;
    const slugs = [former, { node }].map(({ node: each }) => ('slug' in each.fields ? each.fields.slug : undefined));
    const becomesSection = isSection && !this.#sections.has(pageId) && !isReadme(this.#paths.get(pageId) ?? '');
    return former.parentId === parentId && slugs[0] === slugs[1] && !becomesSection;
  }
}

function targetPage(page: LoadedPage, former: Former, isSection: boolean, bodies: Bodies): TargetPage {
  const { pageId, parentId, kind, path, node, documentHash } = page;
  const fields = node.fields as unknown as Record<string, unknown>; // the fields of any kind
  const { node: before, documentHash: beforeHash } = former.pageOf(pageId) ?? {};
  return {
    pageId,
    parentId,
    kind,
    title: node.fields.title,
    linkTitle: node.fields.linkTitle,
    slug: typeof fields.slug === 'string' ? fields.slug : null,
    path,
    fields,
    target: node.kind === 'link' ? (node.fields.target as unknown as ContentRef) : undefined, // checked when it was written
    body: documentHash === null ? undefined : bodies.get(documentHash),
    isSame: former.isSame(page),
    isInPlace: former.isInPlace(page, isSection),
    hasSameParent: former.hasSameParent(page),
    ...(before?.kind === 'document' && {
      former: { body: bodies.get(beforeHash ?? ''), cover: before.fields.cover },
    }),
  };
}
