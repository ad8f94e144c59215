import type { SpaceTag } from '../../../lib/repository/tags.ts';
import { makeYielder } from '../../../lib/tick.ts';
import { openTree } from '../../../lib/tree/edit.ts';
import { TreeError } from '../../../lib/tree/error.ts';
import type { ManifestEntry } from '../../../lib/tree/manifest.ts';
import { editManifest } from '../../../lib/tree/manifest-edit.ts';
import type { PageKind } from '../../../lib/tree/node.ts';
import { userIdOf } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { lockContentShared } from '../../store/heads/index.ts';
import {
  type FileEntry,
  manifestSource,
  type ReusableContentEntry,
  type VariableEntry,
  writeManifestNodes,
} from '../../store/manifests/index.ts';
import type { Content } from '../../store/revisions/index.ts';
import { nodeSource, writeNodes } from '../../store/trees/index.ts';
import { type DescribedBlob, registerBlobs } from '../files/index.ts';
import type { ImportedBody } from './read-body.ts';
import { storeBodies } from './store-bodies.ts';
import { tagEntries } from './write-manifests.ts';

/** A page of a snapshot. Parents come before their children. */
export interface SnapshotPage {
  pageId: string;
  parentId: string | null;
  kind: PageKind;
  fields: Readonly<Record<string, unknown>>;
  documentHash: string | undefined;
  sourceHash: string | undefined;
}

/** The whole content of a space. */
export interface Snapshot {
  pages: readonly SnapshotPage[];
  /** Bodies that pages and contents refer to and that may not be stored yet. */
  bodies: readonly ImportedBody[];
  files: readonly FileEntry[];
  /** Blobs of files, which are in storage. */
  blobs: readonly DescribedBlob[];
  contents: readonly ReusableContentEntry[];
  variables: readonly VariableEntry[];
  tags: readonly SpaceTag[];
  /** Time of creation of pages that exist already, by id. */
  createdAt: ReadonlyMap<string, string>;
}

/**
 * Stores a content without a revision and answers its hashes. Equal content has equal hashes, whatever was there
 * before.
 */
export async function writeSnapshot(ctx: Context, organizationId: string, snapshot: Snapshot): Promise<Content> {
  await lockContentShared(ctx, organizationId);
  if (snapshot.blobs.length > 0) await registerBlobs(ctx, organizationId, [...snapshot.blobs]);
  await storeBodies(ctx, organizationId, snapshot.bodies);
  const tree = await openTree(null, nodeSource(ctx.db, organizationId));
  try {
    const pause = makeYielder();
    for (const { pageId, documentHash, sourceHash, ...page } of snapshot.pages) {
      await pause();
      const hashes = { ...(documentHash && { documentHash }), ...(documentHash && sourceHash && { sourceHash }) };
      await tree.insertPage({ ...page, pageId, ...hashes } as never); // the tree checks the fields of the kind
    }
  } catch (error) {
    throw error instanceof TreeError ? badInput(['url'], `The source cannot be imported: ${error.message}`) : error;
  }
  const { rootHash, newNodes } = tree.commit({ now: nowOf(ctx), userId: userIdOf(ctx.actor) ?? null });
  const dated = newNodes.map((node) => {
    const createdAt = node.kind === 'root' ? undefined : snapshot.createdAt.get(node.pageId);
    return createdAt === undefined ? node : { ...node, createdAt };
  });
  await writeNodes(ctx, organizationId, dated);
  return {
    rootHash,
    filesHash: await writeEntries(ctx, organizationId, snapshot.files),
    reusableContentsHash: await writeEntries(ctx, organizationId, snapshot.contents),
    variablesHash: await writeEntries(ctx, organizationId, snapshot.variables),
    tagsHash: await writeEntries(ctx, organizationId, tagEntries(snapshot.tags)),
  };
}

async function writeEntries<Entry extends ManifestEntry>(
  ctx: Context,
  organizationId: string,
  put: readonly Entry[],
): Promise<string | null> {
  if (put.length === 0) return null;
  const commit = await editManifest(null, manifestSource<Entry>(ctx.db, organizationId), { put });
  await writeManifestNodes(ctx, organizationId, commit.newNodes as never); // nodes of any manifest
  return commit.rootHash;
}
