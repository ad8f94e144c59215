import type { Context } from '../../../platform/context.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { type FileRow, filesIn, type ReusableContentRow, reusableContentsIn } from '../../store/manifests/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { findPage } from '../../store/trees/index.ts';
import { type PageView, viewOf } from '../pages/index.ts';
import { loadRevision } from '../revisions/index.ts';
import type { Link } from './links-of.ts';
import { headVersion, type LocationKind, type Version } from './versions.ts';

/** A place that holds a link or that one leads to. What it names is loaded when it is asked for. */
export type ContentLocation =
  | { kind: 'page'; version: Version; id: string; anchor?: string | undefined; node?: string | undefined }
  | { kind: 'reusable-content'; version: Version; id: string; node?: string | undefined }
  | { kind: 'file'; version: Version; id: string }
  | { kind: 'space' | 'collection' | 'user'; organizationId: string; id: string }
  | { kind: 'url'; url: string };

/** A location whose content belongs to a state of a space. */
export type VersionedLocation = Extract<ContentLocation, { version: Version }>;

/** Where in a version something holds a link. */
export const holderOf = (
  version: Version,
  { id, kind, node }: { id: string; kind: LocationKind; node: string | null },
): VersionedLocation => ({ kind, version, id, node: node ?? undefined });

/** Where a link leads. Null when nothing can be said of it: it is broken, or nothing of its kind is kept. */
export function targetOf(link: Link): ContentLocation | null {
  const { ref, version, locationId: holder, locationKind } = link;
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
      const id = text('page') ?? (locationKind === 'page' && at === version ? holder : undefined);
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
    default:
      return null;
  }
}

/** The revision that a version is, batched; undefined when the caller may not see it any more. */
export async function revisionIn(ctx: Context, { spaceId, revisionId }: Version): Promise<RevisionRow | undefined> {
  const id = revisionId ?? (await loadSpace(ctx, spaceId))?.revisionId;
  return id === undefined ? undefined : loadRevision(ctx, id);
}

/** The page of a location; undefined when it went meanwhile. Alone: without the pages below it, which are not read. */
export async function pageAt(
  ctx: Context,
  { version, id }: VersionedLocation,
  { alone = false } = {},
): Promise<PageView | undefined> {
  const revision = await revisionIn(ctx, version);
  const page = revision && (await findPage(ctx, revision, { pageId: id }));
  return page && viewOf(page, revision, alone ? new Map() : undefined);
}

export async function fileAt(ctx: Context, { version, id }: VersionedLocation): Promise<FileRow | undefined> {
  const revision = await revisionIn(ctx, version);
  return revision && (await filesIn(ctx, revision, [id])).get(id);
}

export async function reusableContentAt(
  ctx: Context,
  { version, id }: VersionedLocation,
): Promise<ReusableContentRow | undefined> {
  const revision = await revisionIn(ctx, version);
  return revision && (await reusableContentsIn(ctx, revision, [id])).get(id);
}
