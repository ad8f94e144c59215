import { type RawBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { sectionsOf } from '../../../lib/document/sections.ts';
import { pageTerms } from '../../../lib/search/page-terms.ts';
import { makeYielder } from '../../../lib/tick.ts';
import type { StoredSource } from '../../../lib/tree/node.ts';
import type { Context } from '../../../platform/context/context.ts';
import { titlesAbove } from '../../store/trees/index.ts';
import { kindOfSource, type SourceSection, sectionsOfBlocks } from '../computed-sources/index.ts';
import type { DerivedPage } from './derived-page.ts';
import { hiddenPagesOf, isUnconditional, type SearchScope } from './scope.ts';

/** Pages of one search. Further ones are found by their own text only. */
const MAX_PAGES = 500;

/** A reusable content that a page includes, with blocks in its body or a source that it is computed from. */
interface ShownContent {
  document: string | null;
  source: StoredSource | null;
}

interface FoundPage {
  spaceId: string;
  pageId: string;
  title: string;
  path: string | null;
  description: string | null;
  ancestors: string[];
  document: string;
  /** Reusable contents that show specifications, which the page includes. */
  contents: ShownContent[];
  /** Versions that are shown. */
  versions: string;
}

/** Characters of the pages of one search. Further pages are found by their own text only. */
const MAX_CHARACTERS = 20_000_000;

/** Bodies can have megabytes. */
const BODIES_AT_ONCE = 20;

type PageText = Pick<DerivedPage, 'sections' | 'fields' | 'length'>;

const charactersOf = ({ sections }: PageText) => sections.reduce((sum, { body }) => sum + body.length, 0);

const textCache = new LRUCache<string, PageText>({
  maxSize: 50_000_000,
  sizeCalculation: (text) => 1_000 + charactersOf(text),
});

/**
 * The pages of a scope that show content of OpenAPI specifications, with that content: by blocks of their own, or by
 * reusable contents of their space. For callers without a role, without pages and contents that have conditions: these
 * are found by their own text.
 */
export async function pagesWithBlocks(ctx: Context, scope: SearchScope): Promise<DerivedPage[]> {
  const { organizationId } = scope;
  const candidates = await readPages(ctx, scope);
  const pages: DerivedPage[] = [];
  const pause = makeYielder();
  let characters = 0;
  for (let at = 0; at < candidates.length && characters <= MAX_CHARACTERS; at += BODIES_AT_ONCE) {
    const some = candidates.slice(at, at + BODIES_AT_ONCE);
    const cachedTexts = some.map((page) => textCache.get(keyOf(organizationId, page)));
    const bodies = await bodiesOf(
      ctx,
      organizationId,
      some.filter((_, index) => !cachedTexts[index]),
    );
    for (const [index, page] of some.entries()) {
      await pause();
      const text = cachedTexts[index] ?? (await textOf(ctx, organizationId, page, bodies));
      if (!text) continue;
      textCache.set(keyOf(organizationId, page), text);
      characters += charactersOf(text);
      pages.push({ ...page, description: page.description ?? '', ...text });
    }
  }
  return pages;
}

const keyOf = (organizationId: string, { title, description, document, contents, versions }: FoundPage) =>
  JSON.stringify([organizationId, title, description, document, contents, versions]);

/** The bodies of pages and of their reusable contents. */
function bodiesOf(ctx: Context, organizationId: string, pages: readonly FoundPage[]) {
  const hashes = pages.flatMap(({ document, contents }) => [
    document,
    ...contents.flatMap((each) => each.document ?? []),
  ]);
  return readBodies(ctx, organizationId, hashes);
}

async function textOf(
  ctx: Context,
  organizationId: string,
  { title, description, document, contents }: FoundPage,
  bodies: ReadonlyMap<string, JSONDocument>,
) {
  const body = bodies.get(document);
  if (!body) return undefined;
  const sections = [...sectionsOf(body), ...(await sectionsOfBlocks(ctx, organizationId, body))];
  for (const content of contents) sections.push(...(await sectionsOfContent(ctx, organizationId, content, bodies)));
  const { fields, length } = pageTerms({ title, description: description ?? '', sections });
  return { sections, fields, length };
}

/** Content of a reusable content. Its blocks have no anchors on the page that includes it. */
async function sectionsOfContent(
  ctx: Context,
  organizationId: string,
  { document, source }: ShownContent,
  bodies: ReadonlyMap<string, JSONDocument>,
): Promise<SourceSection[]> {
  const body = document === null ? undefined : bodies.get(document);
  const ofBody = body ? await sectionsOfBlocks(ctx, organizationId, body) : [];
  const ofSource = source ? await kindOfSource(source)?.search?.sections(ctx, organizationId, source) : [];
  return [...ofBody, ...(ofSource ?? [])].map((section) => ({ ...section, anchor: null }));
}

async function readPages({ db }: Context, { organizationId, spaces }: SearchScope): Promise<FoundPage[]> {
  const all = spaces.map(({ id }) => id);
  const open = spaces.filter(({ findsAll }) => findsAll).map(({ id }) => id);
  const hidden = hiddenPagesOf(spaces);
  const isOpen = sql<boolean>`h.space_id = any(${open}::text[])`;
  const { rows } = await sql<FoundPage>`
    with recursive ${usedTables(organizationId, all, isOpen)}
    select h.space_id, h.page_id, h.title, h.path, n.fields ->> 'description' as description,
      encode(h.document_hash, 'hex') as document, u.versions, u.contents,
      ${titlesAbove} as ancestors
    from (
      select h.space_id, h.page_id, string_agg(distinct u.version, ' ') as versions,
        coalesce(json_agg(distinct jsonb_build_object('document', encode(u.content_hash, 'hex'), 'source', u.computed))
          filter (where u.content_hash is not null or u.computed is not null), '[]') as contents
      from used u
      join head_page h on h.organization_id = ${organizationId} and h.document_hash = u.document_hash
        and h.space_id = coalesce(u.space_id, h.space_id)
      where h.space_id = any(${all}::text[]) and h.kind = 'document' and (${isOpen} or ${isUnconditional})
      group by h.space_id, h.page_id
    ) u
    join head_page h on h.space_id = u.space_id and h.page_id = u.page_id
    join page_node n on n.organization_id = h.organization_id and n.hash = h.node_hash
    where (${isOpen} or not coalesce((n.fields ->> 'noIndex')::boolean, false))
      and (h.space_id, h.page_id) not in (
        select * from unnest(${hidden?.spaceIds ?? []}::text[], ${hidden?.pageIds ?? []}::text[]))
    order by h.space_id, h.page_id
    limit ${sql.lit(MAX_PAGES)}`.execute(db);
  return rows;
}

/**
 * The table `used`: documents with blocks that show a version, and documents of a space that include a reusable content
 * which does, directly or within another one.
 */
const usedTables = (organizationId: string, spaceIds: readonly string[], isOpen: RawBuilder<boolean>) => sql`
  spec as materialized (
    select os.slug, os.latest_version_id as version from openapi_spec os
    where os.organization_id = ${organizationId} and os.latest_version_id is not null
  ),
  direct as materialized (
    select distinct r.document_hash, s.version from spec s
    join document_reference r on r.organization_id = ${organizationId} and r.target_id = s.slug
      and r.kind = 'openapi' and r.relation = 'dependsOn'
  ),
  content as materialized (
    select h.space_id, h.reusable_content_id as id, h.document_hash, null::jsonb as computed, d.version from direct d
    join head_reusable_content h on h.organization_id = ${organizationId} and h.document_hash = d.document_hash
    where h.space_id = any(${[...spaceIds]}::text[]) and (${isOpen} or ${isUnconditional})
    union all
    select h.space_id, h.reusable_content_id, null, h.computed::jsonb, s.version from head_reusable_content h
    join spec s on s.slug = h.computed #>> '{dependencies,spec,ref,spec}'
    where h.space_id = any(${[...spaceIds]}::text[]) and h.computed is not null
  ),
  including(space_id, document_hash, id) as (
    select c.space_id, r.document_hash, c.id from content c
    join document_reference r on r.organization_id = ${organizationId} and r.target_id = c.id collate "default"
      and r.kind = 'reusable-content' and r.relation = 'dependsOn' and r.target_space_id is null
    union
    select i.space_id, r.document_hash, i.id from including i
    join head_reusable_content h on h.organization_id = ${organizationId} and h.document_hash = i.document_hash
      and h.space_id = i.space_id and (${isOpen} or ${isUnconditional})
    join document_reference r on r.organization_id = ${organizationId} and r.target_id = h.reusable_content_id collate "default"
      and r.kind = 'reusable-content' and r.relation = 'dependsOn' and r.target_space_id is null
  ),
  used as materialized (
    select d.document_hash, null::text as space_id, d.version, null::bytea as content_hash, null::jsonb as computed from direct d
    union all
    select i.document_hash, i.space_id, c.version, c.document_hash, c.computed from including i
    join content c on c.space_id = i.space_id and c.id = i.id
  )`;

async function readBodies({ db }: Context, organizationId: string, hashes: readonly string[]) {
  if (hashes.length === 0) return new Map<string, JSONDocument>();
  const { rows } = await sql<{ document: string; body: JSONDocument }>`
    select encode(d.hash, 'hex') as document, d.body from document d
    where d.organization_id = ${organizationId} and d.hash in (select decode(unnest(${[...hashes]}::text[]), 'hex'))`.execute(
    db,
  );
  return new Map(rows.map(({ document, body }) => [document, body]));
}
