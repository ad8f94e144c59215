import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { sectionsOf } from '../../../lib/document/sections.ts';
import { makePause } from '../../../lib/pause.ts';
import { pageTerms } from '../../../lib/search/page-terms.ts';
import type { Context } from '../../../platform/context.ts';
import { sectionsOfBlocks } from '../computing/index.ts';
import type { DerivedPage } from './derived-page.ts';
import { hiddenPagesOf, type SearchScope } from './scope.ts';

/** Pages of one search. Further ones are found by their own text only. */
const MAX_PAGES = 500;

interface FoundPage {
  spaceId: string;
  pageId: string;
  title: string;
  path: string | null;
  description: string | null;
  ancestors: string[];
  document: string;
  /** Versions that the blocks show. */
  versions: string;
}

const known = new LRUCache<string, Pick<DerivedPage, 'sections' | 'fields' | 'length'>>({ max: 2_000 });

/**
 * The pages of a scope with blocks that show content of OpenAPI specifications, with that content. For callers without a
 * role, without pages that have conditions: these are found by their own text.
 */
export async function pagesWithBlocks(ctx: Context, scope: SearchScope): Promise<DerivedPage[]> {
  const found = await readPages(ctx, scope);
  const keyOf = ({ title, description, document, versions }: FoundPage) =>
    JSON.stringify([scope.organizationId, title, description, document, versions]);
  const bodies = await readBodies(
    ctx,
    scope.organizationId,
    found.filter((page) => !known.has(keyOf(page))).map(({ document }) => document),
  );
  const pages: DerivedPage[] = [];
  const pause = makePause();
  for (const page of found) {
    await pause();
    const body = bodies.get(page.document);
    const key = keyOf(page);
    if (body && !known.has(key)) known.set(key, await textOf(ctx, scope.organizationId, page, body));
    const text = known.get(key);
    if (text) pages.push({ ...page, description: page.description ?? '', ...text });
  }
  return pages;
}

async function textOf(ctx: Context, organizationId: string, { title, description }: FoundPage, body: JSONDocument) {
  const sections = [...sectionsOf(body), ...(await sectionsOfBlocks(ctx, organizationId, body))];
  const { fields, length } = pageTerms({ title, description: description ?? '', sections });
  return { sections, fields, length };
}

async function readPages({ db }: Context, { organizationId, spaces }: SearchScope): Promise<FoundPage[]> {
  const all = spaces.map(({ id }) => id);
  const open = spaces.filter(({ findsAll }) => findsAll).map(({ id }) => id);
  const hidden = hiddenPagesOf(spaces);
  const isOpen = sql`h.space_id = any(${open}::text[])`;
  const { rows } = await sql<FoundPage>`
    with used as materialized (
      select r.document_hash, string_agg(distinct os.latest_version_id, ' ') as versions
      from openapi_spec os
      join document_reference r on r.organization_id = os.organization_id and r.target_id = os.slug
        and r.kind = 'openapi' and r.relation = 'dependsOn'
      where os.organization_id = ${organizationId} and os.latest_version_id is not null
      group by r.document_hash
    )
    select h.space_id, h.page_id, h.title, h.path, n.fields ->> 'description' as description,
      encode(h.document_hash, 'hex') as document, u.versions,
      array(
        with recursive up(title, parent_id, height) as (
          select a.title, a.parent_id, 1 from head_page a where a.space_id = h.space_id and a.page_id = h.parent_id
          union all
          select a.title, a.parent_id, up.height + 1
          from up join head_page a on a.space_id = h.space_id and a.page_id = up.parent_id
        )
        select up.title from up order by up.height desc) as ancestors
    from used u
    join head_page h on h.organization_id = ${organizationId} and h.document_hash = u.document_hash
    join page_node n on n.organization_id = h.organization_id and n.hash = h.node_hash
    where h.space_id = any(${all}::text[]) and h.kind = 'document'
      and (${isOpen} or (not coalesce((n.fields ->> 'noIndex')::boolean, false)
        and not exists (select from document d where d.organization_id = h.organization_id and d.hash = h.document_hash
          and position('"type":"if"' in d.body::text) > 0)))
      and (h.space_id, h.page_id) not in (
        select * from unnest(${hidden?.spaceIds ?? []}::text[], ${hidden?.pageIds ?? []}::text[]))
    order by h.space_id, h.page_id
    limit ${sql.lit(MAX_PAGES)}`.execute(db);
  return rows;
}

async function readBodies({ db }: Context, organizationId: string, hashes: readonly string[]) {
  if (hashes.length === 0) return new Map<string, JSONDocument>();
  const { rows } = await sql<{ document: string; body: JSONDocument }>`
    select encode(d.hash, 'hex') as document, d.body from document d
    where d.organization_id = ${organizationId} and d.hash in (select decode(unnest(${[...hashes]}::text[]), 'hex'))`.execute(
    db,
  );
  return new Map(rows.map(({ document, body }) => [document, body]));
}
