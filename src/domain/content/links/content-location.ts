import type { Context } from '../../../platform/context/context.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import type { FileRow, ReusableContentRow } from '../../store/manifests/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { findReadPage } from '../computed-sources/index.ts';
import { currentContentOf, type PageView, viewOf } from '../pages/index.ts';
import { loadRevision } from '../revisions/index.ts';
import { visibleContentsIn, visibleFilesIn } from '../visibility/index.ts';
import type { Link } from './links-of.ts';
import { headVersion, type LocationKind, type Version } from './versions.ts';

/** Location or target of a link. The object at the location is loaded on demand. */
export type ContentLocation =
  | { kind: 'page'; version: Version; id: string; anchor?: string | undefined; node?: string | undefined }
  | { kind: 'reusable-content'; version: Version; id: string; node?: string | undefined }
  | { kind: 'file'; version: Version; id: string }
  | { kind: 'space' | 'collection' | 'user'; organizationId: string; id: string }
  | { kind: 'openapi'; organizationId: string; slug: string }
  | { kind: 'url'; url: string };

/** A location in a version of a space. */
export type VersionedLocation = Extract<ContentLocation, { version: Version }>;

/** The location of a link in a version. */
export const holderOf = (
  version: Version,
  { id, kind, node }: { id: string; kind: LocationKind; node: string | null },
): VersionedLocation => ({ kind, version, id, node: node ?? undefined });

/** The target of a link. Null if it is broken or if its kind has no location. */
export function linkedLocation(link: Link): ContentLocation | null {
  const { ref, version, locationId, locationKind } = link;
  const text = (name: string) => (typeof ref[name] === 'string' ? ref[name] : undefined);
  if (link.status === 'broken' && ref.kind !== 'anchor') return null;
  const spaceId = text('space') ?? version.spaceId;
  const at = spaceId === version.spaceId ? version : headVersion(spaceId, version.organizationId);
  const named = (kind: 'space' | 'collection' | 'user') => {
    const id = text(kind);
    return id === undefined ? null : { kind, organizationId: version.organizationId, id };
  };
  switch (ref.kind) {
    case 'url':
      return { kind: 'url', url: text('url') ?? '' };
    case 'page':
      return { kind: 'page', version: at, id: text('page') ?? '' };
    case 'anchor': {
      const id = text('page') ?? (locationKind === 'page' && at === version ? locationId : undefined);
      return id === undefined ? null : { kind: 'page', version: at, id, anchor: text('anchor') };
    }
    case 'file':
      return { kind: 'file', version: at, id: text('file') ?? '' };
    case 'reusable-content':
      return { kind: 'reusable-content', version: at, id: text('reusableContent') ?? '' };
    case 'space':
    case 'collection':
    case 'user':
      return named(ref.kind);
    case 'openapi':
      return { kind: 'openapi', organizationId: version.organizationId, slug: text('spec') ?? '' };
    default:
      return null;
  }
}

/** The revision of a version, batched; undefined if the caller can no longer see it. */
export async function revisionIn(ctx: Context, { spaceId, revisionId }: Version): Promise<RevisionRow | undefined> {
  const id = revisionId ?? (await loadSpace(ctx, spaceId))?.revisionId;
  return id === undefined ? undefined : loadRevision(ctx, id);
}

/** The page of a location; undefined if it was deleted meanwhile. With `alone`, its descendants are not loaded. */
export async function pageAt(
  ctx: Context,
  { version, id }: VersionedLocation,
  { alone = false } = {},
): Promise<PageView | undefined> {
  const { currentOf } = version;
  const revision = await (currentOf === undefined ? revisionIn(ctx, version) : currentContentOf(ctx, currentOf));
  const page = revision && (await findReadPage(ctx, revision, { pageId: id }))?.page;
  return page && viewOf(page, revision, alone ? new Map() : undefined);
}

export async function linkedFile(ctx: Context, { version, id }: VersionedLocation): Promise<FileRow | undefined> {
  const revision = await revisionIn(ctx, version);
  return revision && (await visibleFilesIn(ctx, revision, [id])).get(id);
}

export async function reusableContentAt(
  ctx: Context,
  { version, id }: VersionedLocation,
): Promise<ReusableContentRow | undefined> {
  const revision = await revisionIn(ctx, version);
  return revision && (await visibleContentsIn(ctx, revision, [id])).get(id);
}
