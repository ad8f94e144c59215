import type { SpaceTag } from '../../../lib/repository/tags.ts';
import type { ManifestEntry } from '../../../lib/tree/manifest.ts';
import { editManifest, type ManifestCommit } from '../../../lib/tree/manifest-edit.ts';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import type { FileEntry, ReusableContentEntry, TagEntry, VariableEntry } from '../../store/manifests/index.ts';
import {
  type LimitedEntries,
  manifestSource,
  tagsOf,
  tooMany,
  writeManifestNodes,
} from '../../store/manifests/index.ts';
import { type RevisionRow, toHex } from '../../store/revisions/index.ts';
import { blobFacts, registerBlobs } from '../files/index.ts';
import type { StoredRepository } from './store-files.ts';

/** Registers the blobs and adds the files to the manifest. */
export async function writeFiles(ctx: Context, base: RevisionRow, { stored }: StoredRepository) {
  if (stored.length > 0) {
    const blobs = stored.map(({ blob }) => blob);
    await registerBlobs(ctx, base.organizationId, blobs);
  }
  const entries = stored.map(({ blob, fileId, name }): FileEntry => {
    return { id: fileId, name, ...blobFacts(blob, name) };
  });
  return { hash: await putEntries(ctx, base.organizationId, base.filesHash, entries, 'files'), entries };
}

/** Adds the included files as reusable contents. Returns the hash of the manifest. */
export async function writeContents(
  ctx: Context,
  base: RevisionRow,
  { contents }: StoredRepository,
): Promise<string | null> {
  const entries = contents.map(({ id, title, body }): ReusableContentEntry => {
    const source = body?.sourceHash && { sourceHash: body.sourceHash };
    return { id, title, ...(body && { documentHash: body.hash }), ...source };
  });
  return putEntries(ctx, base.organizationId, base.reusableContentsHash, entries, 'reusableContents');
}

/** Adds the variables of the source, in place of those with the same names. */
export async function writeVariables(
  ctx: Context,
  base: RevisionRow,
  { variables }: StoredRepository,
): Promise<string | null> {
  const entries = Object.entries(variables).map(([id, value]): VariableEntry => ({ id, value }));
  return putEntries(ctx, base.organizationId, base.variablesHash, entries, 'variables');
}

/** Adds the tags of the source after those of the revision, in place of those with the same slugs. */
export async function writeTags(ctx: Context, base: RevisionRow, { tags }: StoredRepository): Promise<string | null> {
  const before = tags.length === 0 ? [] : (await tagsOf(ctx, base)).map(({ slug }) => slug);
  const places = new Map(
    [...new Set([...before, ...tags.map(({ slug }) => slug)])].map((slug, place) => [slug, place]),
  );
  return putEntries(ctx, base.organizationId, base.tagsHash, tagEntries(tags, places));
}

/** The entries of tags at the given places, by default in their order. */
export const tagEntries = (tags: readonly SpaceTag[], places?: ReadonlyMap<string, number>): TagEntry[] =>
  tags.map(({ slug, ...tag }, index) => ({ id: slug, position: places?.get(slug) ?? index, ...tag }));

async function putEntries<Entry extends FileEntry | ReusableContentEntry | TagEntry | VariableEntry>(
  ctx: Context,
  organizationId: string,
  hash: Buffer | null,
  put: readonly Entry[],
  limited?: LimitedEntries,
): Promise<string | null> {
  const before = hash && toHex(hash);
  if (put.length === 0) return before;
  const commit = await editManifest(before, manifestSource<Entry>(ctx.db, organizationId), { put });
  if (limited) rejectTooMany(limited, commit);
  await writeManifestNodes(ctx, organizationId, commit.newNodes);
  return commit.rootHash;
}

/** Throws BAD_USER_INPUT for a source with which a space would have too many entries of a kind. */
function rejectTooMany(entries: LimitedEntries, commit: Pick<ManifestCommit<ManifestEntry>, 'grownTo'>): void {
  const problem = tooMany(entries, commit);
  if (problem !== undefined) throw badInput(['url'], `The source cannot be imported: ${problem}`, 'TOO_MANY');
}
