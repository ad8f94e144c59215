import type { Context } from '../../../platform/context/context.ts';
import { prefixOf, resourceNumber } from '../../../platform/ids/ids.ts';
import { loadChangeRequest, loadChangeRequestByNumber } from '../../content/change-requests/index.ts';
import { loadRevision } from '../../content/revisions/index.ts';
import { locateSiteSpace, type SiteNavigation } from '../structure/index.ts';

/** The content of a change request, or a revision, that is shown instead of the current content of its space. */
export interface PreviewedVersion {
  spaceId: string;
  revisionId: string;
  changeRequestId?: string;
}

/** The version that a path names, and its other segments. */
export interface VersionedPath {
  /** Undefined for the current content. */
  version: PreviewedVersion | undefined;
  /** The segments that name the version: none, or `~/changes/<id>` or `~/revisions/<id>`. */
  marker: readonly string[];
  /** The path without them. */
  segments: readonly string[];
}

/**
 * The change request or revision that the decoded segments of a path on a previewed site name, at any place:
 * `~/changes/<id>` or `~/revisions/<id>`. A number names a change request of the space that the rest of the path leads
 * to. Undefined if the path names one that the caller cannot see, or whose space is not on the site.
 */
export async function versionIn(
  ctx: Context,
  structure: SiteNavigation,
  path: readonly string[],
): Promise<VersionedPath | undefined> {
  const at = path.indexOf('~');
  const [kind, id] = at === -1 ? [] : path.slice(at + 1);
  if (id === undefined || (kind !== 'changes' && kind !== 'revisions')) {
    return { version: undefined, marker: [], segments: path };
  }
  const segments = [...path.slice(0, at), ...path.slice(at + 3)];
  const spaceId = locateSiteSpace(structure, segments)?.siteSpace.spaceId;
  const version = kind === 'changes' ? await changeRequestNamed(ctx, spaceId, id) : await revisionNamed(ctx, id);
  if (!version || !structure.siteSpaces.some((row) => row.spaceId === version.spaceId)) return undefined;
  return { version, marker: ['~', kind, version.changeRequestId ?? version.revisionId], segments };
}

async function changeRequestNamed(
  ctx: Context,
  spaceId: string | undefined,
  id: string,
): Promise<PreviewedVersion | undefined> {
  const number = resourceNumber(id);
  const byId = async () => (prefixOf(id) === 'cr' ? loadChangeRequest(ctx, id) : undefined);
  const row =
    number === undefined || spaceId === undefined
      ? await byId()
      : await loadChangeRequestByNumber(ctx, spaceId, number);
  return row && { spaceId: row.spaceId, revisionId: row.revisionId, changeRequestId: row.id };
}

async function revisionNamed(ctx: Context, id: string): Promise<PreviewedVersion | undefined> {
  const revision = prefixOf(id) === 'rev' ? await loadRevision(ctx, id) : undefined;
  return revision && { spaceId: revision.spaceId, revisionId: revision.id };
}
