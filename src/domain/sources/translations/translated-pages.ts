import { sql } from 'kysely';
import { hashOf } from '../../../lib/canonical.ts';
import type { JSONDocument } from '../../../lib/document/document.ts';
import type { DocumentFields, StoredSource } from '../../../lib/tree/node.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import type { Context } from '../../../platform/context/context.ts';
import { hashPrefixOf, isId } from '../../../platform/ids/ids.ts';
import type { ComputedPage, ComputedSourceKind } from '../../content/computed-sources/index.ts';
import { type Variables, visibleBody, visibleContent } from '../../content/visibility/index.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { readDocument } from '../../store/bodies/index.ts';
import { type RevisionRow, toHex } from '../../store/revisions/index.ts';
import { type HiddenPages, hiddenPages, loadVisibleTree } from '../../store/trees/index.ts';

const TYPE = 'builtin:translation';

/**
 * Content of translations. Pages of a translated space are stored, since people edit them; this answers for sources
 * that are given by themselves. Unlike other sources, they are only read by callers who can view the translated space,
 * without the parts that conditions hide from them.
 */
export const translatedPages: ComputedSourceKind = {
  type: TYPE,
  async pages(ctx, organizationId, source) {
    const head = await translatedHead(ctx, organizationId, source);
    if (!head) return undefined;
    const [hidden, pages] = await Promise.all([hiddenPages(ctx, head.revision), loadVisibleTree(ctx, head.revision)]);
    const below = Map.groupBy(pages, ({ parentId }) => parentId);
    return {
      seed: seedOf(head.revision, hidden),
      updatedAt: head.revision.createdAt,
      source: { type: TYPE, props: {}, dependencies: dependencyOf(head.translationId) },
      pages: pagesBelow(below, null, head.translationId),
    };
  },
  async document(ctx, organizationId, source): Promise<JSONDocument | undefined> {
    const head = await translatedHead(ctx, organizationId, source);
    const { document } = source.props;
    if (!head || typeof document !== 'string' || !isId('doc', document)) return undefined;
    const prefix = hashPrefixOf(document);
    const most = Buffer.concat([prefix, Buffer.alloc(16, 0xff)]);
    const { rows } = await sql<Translated>`
      select h.document_hash as hash, h.page_id, h.path, null as content_id, n.fields -> 'variables' as variables
      from translation_page p
      join head_page h on h.space_id = ${head.revision.spaceId} and h.page_id = p.page_id and h.document_hash is not null
      join page_node n on n.organization_id = h.organization_id and n.hash = h.node_hash
      where p.translation_id = ${head.translationId}
        and p.source_document_hash between ${Buffer.concat([prefix, Buffer.alloc(16)])} and ${most}
      union all
      select c.document_hash, null, null, p.page_id, null from translation_page p
      join head_reusable_content c on c.space_id = ${head.revision.spaceId} and c.reusable_content_id = p.page_id
        and c.document_hash is not null
      where p.translation_id = ${head.translationId}
        and p.source_document_hash between ${Buffer.concat([prefix, Buffer.alloc(16)])} and ${most}
      limit ${MAX_COPIES}`.execute(ctx.db);
    const seen = await firstSeen(ctx, head.revision, rows);
    if (!seen) return undefined;
    const { body } = await readDocument(ctx, organizationId, toHex(seen.hash));
    return visibleBody(ctx, head.revision, body, seen.variables ?? undefined);
  },
  changesWith: ['space_content_updated'],
  spaceIdOf: async (ctx, organizationId, source) =>
    (await translationOf(ctx, organizationId, source))?.translatedSpaceId,
};

/** Pages and reusable contents with one body that are looked through. */
const MAX_COPIES = 1_000;

/** A page or reusable content of a translated space. */
interface Translated {
  hash: Buffer;
  pageId: string | null;
  path: string | null;
  contentId: string | null;
  /** Variables of the page. */
  variables: Variables | null;
}

/** The first one that the caller sees. */
async function firstSeen(
  ctx: Context,
  revision: RevisionRow,
  rows: readonly Translated[],
): Promise<Translated | undefined> {
  const [hidden, visible] = [await hiddenPages(ctx, revision), await visibleContent(ctx, revision)];
  return rows.find(({ pageId, path, contentId }) => {
    if (pageId !== null) return !hidden?.has({ pageId, path });
    return visible === undefined || visible.ids['reusable-content'].has(contentId ?? '');
  });
}

/** The translation of a source, once it has a result. */
async function translationOf(ctx: Context, organizationId: string, { dependencies }: StoredSource) {
  const { translation } = (dependencies ?? {}) as { translation?: { ref?: { translation?: unknown } } }; // validated with the source
  const id = translation?.ref?.translation;
  if (typeof id !== 'string') return undefined;
  return ctx.db
    .selectFrom('translation')
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .where('resultRevisionId', 'is not', null)
    .select(['id', 'translatedSpaceId'])
    .executeTakeFirst();
}

/** The head of the translated space of a source, if the caller can view it. */
async function translatedHead(ctx: Context, organizationId: string, source: StoredSource) {
  const translation = await translationOf(ctx, organizationId, source);
  if (!translation) return undefined;
  const space = await loadSpace(ctx, translation.translatedSpaceId);
  if (space?.organizationId !== organizationId || space.deletedAt !== null) return undefined;
  const revision = await ctx.db
    .selectFrom('revision')
    .where('id', '=', space.revisionId)
    .selectAll()
    .executeTakeFirstOrThrow();
  return { translationId: translation.id, revision };
}

/** The pages that the caller sees follow from the revision and the pages that are hidden from the caller. */
const seedOf = ({ id }: RevisionRow, hidden: HiddenPages | undefined): string =>
  hidden ? `${id} ${hashOf([...hidden.ids].sort())}` : id;

const dependencyOf = (translationId: string) => ({
  translation: { ref: { kind: 'translation', translation: translationId } },
});

type Below = ReadonlyMap<string | null, LoadedPage[]>;

/** Pages at a place. Links and computed pages have no body that could be computed, and are left out. */
const pagesBelow = (below: Below, parentId: string | null, translationId: string): ComputedPage[] =>
  (below.get(parentId) ?? []).flatMap(({ pageId, node }): ComputedPage[] => {
    if (node.kind !== 'document' && node.kind !== 'group') return [];
    const fields = node.fields as DocumentFields; // groups have fewer
    const empty = { type: TYPE, props: {}, dependencies: dependencyOf(translationId) };
    return [
      {
        key: pageId,
        title: fields.title,
        slug: fields.slug,
        ...(fields.description !== undefined && { description: fields.description }),
        ...(fields.icon !== undefined && { icon: fields.icon }),
        source: fields.computed ?? empty,
        pages: pagesBelow(below, pageId, translationId),
      },
    ];
  });
