import { sql } from 'kysely';
import { visitsOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { findSpec, type SpecName, type SpecRow } from './access.ts';

/**
 * A specification that a page or reusable content of the primary content refers to or is computed from, in a space that a published site shows
 * to the caller as a visitor. Undefined if there is none.
 */
export async function specOnVisits(ctx: Context, name: SpecName): Promise<SpecRow | undefined> {
  const { organizationId, slug } = name;
  const visits = visitsOf(ctx.actor).filter((visit) => visit.organizationId === organizationId);
  const spaceIds = visits.flatMap((visit) => [...visit.spaceIds]);
  const spec = spaceIds.length === 0 ? undefined : await findSpec(ctx, name);
  if (!spec) return undefined;
  const { rows } = await sql<{ isUsed: boolean }>`
    select exists (
      select from document_reference r
      join head_page h on h.organization_id = r.organization_id and h.document_hash = r.document_hash
      where r.organization_id = ${organizationId} and r.kind = 'openapi' and r.target_id in (${slug}, ${spec.id})
        and h.space_id = any(${spaceIds}::text[])
    ) or exists (
      select from head_page h
      join page_node n on n.organization_id = h.organization_id and n.hash = h.node_hash
      where h.space_id = any(${spaceIds}::text[]) and h.kind = 'computed'
        and n.fields -> 'computed' -> 'dependencies' -> 'spec' -> 'ref' ->> 'spec' in (${slug}, ${spec.id})
    ) or exists (
      select from head_reusable_content h
      where h.space_id = any(${spaceIds}::text[]) and h.computed #>> '{dependencies,spec,ref,spec}' in (${slug}, ${spec.id})
    ) or exists (
      select from document_reference r
      join head_reusable_content h on h.organization_id = r.organization_id and h.document_hash = r.document_hash
      where r.organization_id = ${organizationId} and r.kind = 'openapi' and r.target_id in (${slug}, ${spec.id})
        and h.space_id = any(${spaceIds}::text[])
    ) as "isUsed"`.execute(ctx.db);
  return rows[0]?.isUsed ? spec : undefined;
}
