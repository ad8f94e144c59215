import { sql } from 'kysely';
import { visitsOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { loadRevision } from '../../content/revisions/index.ts';
import { specsIn } from '../../content/visibility/index.ts';
import { findSpec, type SpecName, type SpecRow } from './access.ts';

/**
 * A specification that a page or reusable content of the primary content refers to or is computed from, in a space that
 * a published site shows to the caller as a visitor. On sites with conditions, only specifications that pages visible
 * to the visitor use count. Undefined if there is none.
 */
export async function specOnVisits(ctx: Context, name: SpecName): Promise<SpecRow | undefined> {
  const { organizationId } = name;
  const visits = visitsOf(ctx.actor).filter((visit) => visit.organizationId === organizationId);
  const spaceIds = visits.flatMap((visit) => [...visit.spaceIds]);
  const spec = spaceIds.length === 0 ? undefined : await findSpec(ctx, name);
  if (!spec) return undefined;
  const revisionIds = await headsWith(ctx, spec, spaceIds);
  const isSeen = await Promise.all(revisionIds.map((revisionId) => isSeenIn(ctx, revisionId, spec)));
  return isSeen.includes(true) ? spec : undefined;
}

/** The current revisions of the spaces that have the specification somewhere. */
async function headsWith(ctx: Context, { organizationId, slug, id }: SpecRow, spaceIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ revisionId: string }>`
    select s.revision_id from space s where s.id = any(${spaceIds}::text[]) and (exists (
      select from document_reference r
      join head_page h on h.organization_id = r.organization_id and h.document_hash = r.document_hash
      where r.organization_id = ${organizationId} and r.kind = 'openapi' and r.target_id in (${slug}, ${id})
        and h.space_id = s.id
    ) or exists (
      select from head_page h
      join page_node n on n.organization_id = h.organization_id and n.hash = h.node_hash
      where h.space_id = s.id and h.kind = 'computed'
        and n.fields -> 'computed' -> 'dependencies' -> 'spec' -> 'ref' ->> 'spec' in (${slug}, ${id})
    ) or exists (
      select from head_reusable_content h
      where h.space_id = s.id and h.computed #>> '{dependencies,spec,ref,spec}' in (${slug}, ${id})
    ) or exists (
      select from document_reference r
      join head_reusable_content h on h.organization_id = r.organization_id and h.document_hash = r.document_hash
      where r.organization_id = ${organizationId} and r.kind = 'openapi' and r.target_id in (${slug}, ${id})
        and h.space_id = s.id
    ))`.execute(ctx.db);
  return rows.map(({ revisionId }) => revisionId);
}

async function isSeenIn(ctx: Context, revisionId: string, { slug, id }: SpecRow): Promise<boolean> {
  const revision = await loadRevision(ctx, revisionId);
  if (!revision) return false;
  const seen = await specsIn(ctx, revision);
  return [slug, id].some((each) => seen.has(each));
}
