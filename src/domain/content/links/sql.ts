import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import type { AccessFilter } from '../../../platform/paging/access-filter.ts';
import { requestCache } from '../../../platform/reads/request-cache.ts';
import { type ListConditions, readInOrganizations } from '../../people/access/index.ts';
import type { RevisionOverlay, Version } from './versions.ts';

/** Identifies a version, and optionally a page or file in it, in statements over many versions. */
export type VersionKey = string;

/**
 * The versions that a request has asked for. Statements take the overlays of all of them as arrays, so that the links
 * of many change requests are read by one statement.
 */
class Noted {
  readonly overlays = new Map<string, Version & { overlay: RevisionOverlay }>();
  readonly organizationIds = new Set<string>();
}

const notedOf = (ctx: Context) => requestCache(ctx, 'links:versions', () => new Noted());

/**
 * Registers a version for the statements of the request. Returns its key, for all of it or for one page or file in it.
 */
export function noteVersion(ctx: Context, version: Version, only = ''): VersionKey {
  const noted = notedOf(ctx);
  const { spaceId, organizationId, revisionId, overlay } = version;
  noted.organizationIds.add(organizationId);
  if (overlay && revisionId !== null) noted.overlays.set(revisionId, { ...version, overlay });
  return `${spaceId}/${revisionId ?? ''}/${only}`;
}

/** For lists whose parents are versions. Access is decided in the organizations of all versions of the request. */
export const versionLists: AccessFilter<ListConditions> = (ctx, _keys, read) =>
  readInOrganizations(ctx, [...notedOf(ctx).organizationIds], read);

/** Values that the fragments of one statement share. */
export interface LinkSqlContext {
  ctx: Context;
  /** Conditions for content that the caller may see. */
  conditions: ListConditions;
  spaceId: RawBuilder<string>;
  /** Empty for the head. */
  revisionId: RawBuilder<string>;
  only: RawBuilder<string>;
  organizationIds: string[];
  /** Null if only heads are read. */
  overlays: OverlayArrays | null;
}

/** Overlays as SQL fragments. */
interface OverlayArrays {
  /** Rows of `revision_id, organization_id, id, kind, document_hash, node_hash`. */
  put: RawBuilder<unknown>;
  /** Rows of `revision_id, id`: pages and contents of the head that the overlay replaces or removes. */
  replaced: RawBuilder<unknown>;
  /** Rows of `revision_id, id`: pages, contents and files that exist because of the overlay. */
  present: RawBuilder<unknown>;
  /** Rows of `revision_id, id`: pages, contents and files that do not exist because of the overlay. */
  absent: RawBuilder<unknown>;
  /** Rows of `revision_id, id`: computed pages that the overlay adds, and those that it replaces or removes. */
  computed: RawBuilder<unknown>;
  goneComputed: RawBuilder<unknown>;
}

export function linkSqlContext(ctx: Context, key: RawBuilder<string>, conditions: ListConditions): LinkSqlContext {
  const part = (index: number) => sql<string>`split_part(${key}, '/', ${sql.lit(index)})`;
  const noted = notedOf(ctx);
  return {
    ctx,
    conditions,
    spaceId: part(1),
    revisionId: part(2),
    only: part(3),
    organizationIds: [...noted.organizationIds],
    overlays: noted.overlays.size === 0 ? null : arraysOf([...noted.overlays.values()]),
  };
}

/** The same scope for the heads of the spaces. */
export const scopeOfHeads = (scope: LinkSqlContext): LinkSqlContext => ({ ...scope, overlays: null });

function arraysOf(versions: (Version & { overlay: RevisionOverlay })[]): OverlayArrays {
  const put = versions.flatMap(({ revisionId, organizationId, overlay }) =>
    overlay.put.map((row) => ({ revisionId, organizationId, ...row })),
  );
  const ids = (of: (overlay: RevisionOverlay) => string[]) => {
    const rows = versions.flatMap(({ revisionId, overlay }) => of(overlay).map((id) => [revisionId, id] as const));
    const [revisions, named] = [rows.map(([revision]) => revision), rows.map(([, id]) => id)];
    return sql`select * from unnest(${revisions}::text[], ${named}::text[]) as i(revision_id, id)`;
  };
  const putIds = (overlay: RevisionOverlay) => overlay.put.map(({ id }) => id);
  return {
    put: sql`select o.revision_id, o.organization_id, o.id, o.kind, decode(o.document_hash, 'hex') as document_hash,
        decode(o.node_hash, 'hex') as node_hash
      from unnest(${put.map(({ revisionId }) => revisionId)}::text[], ${put.map(({ organizationId }) => organizationId)}::text[],
        ${put.map(({ id }) => id)}::text[], ${put.map(({ kind }) => kind)}::text[],
        ${put.map(({ documentHash }) => documentHash)}::text[], ${put.map(({ nodeHash }) => nodeHash)}::text[])
        as o(revision_id, organization_id, id, kind, document_hash, node_hash)`,
    replaced: ids((overlay) => [...putIds(overlay), ...overlay.goneIds]),
    present: ids((overlay) => [...putIds(overlay), ...overlay.newFiles]),
    absent: ids((overlay) => [...overlay.goneIds, ...overlay.goneFiles]),
    computed: ids((overlay) => overlay.computed),
    goneComputed: ids((overlay) => overlay.goneComputed),
  };
}
