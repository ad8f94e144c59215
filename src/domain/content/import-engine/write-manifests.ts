import { newVariables, replacedTags } from '../../../lib/repository/new-entries.ts';
import type { ReportEntry } from '../../../lib/repository/report.ts';
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
  variablesOf,
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

/** A manifest, and what the report says about entries with the same names. */
interface WrittenManifest {
  hash: string | null;
  report: ReportEntry[];
}

/** Adds the variables of the source. Variables that the revision has keep their values, because its pages use them. */
export async function writeVariables(
  ctx: Context,
  base: RevisionRow,
  { variables: read = {} }: StoredRepository,
): Promise<WrittenManifest> {
  const existing = Object.keys(read).length === 0 ? {} : await variablesOf(ctx, base);
  const { variables, report } = newVariables(existing, read, 'the space');
  const entries = Object.entries(variables).map(([id, value]): VariableEntry => ({ id, value }));
  return { hash: await putEntries(ctx, base.organizationId, base.variablesHash, entries, 'variables'), report };
}

/**
 * Adds the tags of the source after those of the revision, in place of those with the same slugs: tags can only be
 * changed by imports. Those that are replaced are reported.
 */
export async function writeTags(
  ctx: Context,
  base: RevisionRow,
  { tags = [] }: StoredRepository,
): Promise<WrittenManifest> {
  const existing = tags.length === 0 ? [] : await tagsOf(ctx, base);
  const slugs = new Set([...existing, ...tags].map(({ slug }) => slug));
  const places = new Map([...slugs].map((slug, place) => [slug, place]));
  const hash = await putEntries(ctx, base.organizationId, base.tagsHash, tagEntries(tags, places));
  return { hash, report: replacedTags(existing, tags) };
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
  if (limited) rejectTooManyEntries(limited, commit);
  await writeManifestNodes(ctx, organizationId, commit.newNodes);
  return commit.rootHash;
}

/** Throws BAD_USER_INPUT for a source with which a space would have too many entries of a kind. */
function rejectTooManyEntries(entries: LimitedEntries, commit: Pick<ManifestCommit<ManifestEntry>, 'grownTo'>): void {
  const problem = tooMany(entries, commit);
  if (problem !== undefined) throw badInput(['url'], `The source cannot be imported: ${problem}`, 'TOO_MANY');
}
