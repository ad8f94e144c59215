import { Readable } from 'node:stream';
import { blobFacts, describeBlob, registerBlobs } from '../../../src/domain/content/files/index.ts';
import { createContent } from '../../../src/domain/store/heads/index.ts';
import type { FileEntry } from '../../../src/domain/store/manifests/index.ts';
import { manifestSource, projectFiles, writeManifestNodes } from '../../../src/domain/store/manifests/index.ts';
import { insertRevision, type RevisionRow, toHex } from '../../../src/domain/store/revisions/index.ts';
import { editManifest, type ManifestEdit } from '../../../src/lib/tree/manifest-edit.ts';
import type { Context } from '../../../src/platform/context/context.ts';
import { accessThrough } from '../../../src/platform/context/database-access.ts';
import { newId } from '../../../src/platform/ids/ids.ts';
import type { Client } from '../../client.ts';
import type { World } from '../../world.ts';

/** A context of a user, for functions without an operation. */
export const contextOf = ({ app: { services } }: World, { userId }: Client): Context => ({
  actor: { kind: 'user', userId, isOperator: false, by: 'token' },
  ...accessThrough(services.em.fork()),
  services,
  requestId: 'test',
  log: services.log,
  inTransaction: false,
});

/** A space without pages and files, at its first revision. */
export async function makeSpace(ctx: Context, organizationId: string): Promise<string> {
  const spaceId = newId('space');
  const revisionId = await createContent(ctx, { organizationId, spaceId, title: 'Docs', empty: true });
  const values = { id: spaceId, organizationId, title: 'Docs', revisionId };
  await ctx.db
    .insertInto('space')
    .values({ ...values, mergeRules: { type: 'inherit' } })
    .execute();
  return spaceId;
}

/** Stores bytes and creates the entry of a file for them. */
export async function fileOf(
  ctx: Context,
  organizationId: string,
  name: string,
  bytes: string | Uint8Array,
): Promise<FileEntry> {
  const { storage } = ctx.services;
  const blob = await describeBlob(storage, await storage.write(Readable.from([Buffer.from(bytes)]), 1_000_000));
  await registerBlobs(ctx, organizationId, [blob]);
  return { id: newId('file'), name, ...blobFacts(blob, name) };
}

/** Edits the files of a space's head: creates a revision, moves the head and updates the projection. */
export async function editFiles(ctx: Context, spaceId: string, edit: ManifestEdit<FileEntry>): Promise<RevisionRow> {
  const head = await headOf(ctx, spaceId);
  const organizationId = head.organizationId;
  const source = manifestSource<FileEntry>(ctx.db, organizationId);
  const { rootHash, newNodes } = await editManifest(head.filesHash && toHex(head.filesHash), source, edit);
  await writeManifestNodes(ctx, organizationId, newNodes);
  const manifests = { filesHash: rootHash, reusableContentsHash: null, variablesHash: null, tagsHash: null };
  const content = { rootHash: toHex(head.rootHash), ...manifests };
  const revision = await insertRevision(ctx, {
    organizationId,
    spaceId,
    type: 'edits',
    parents: [head.id],
    ...content,
  });
  await ctx.db.updateTable('space').set({ revisionId: revision.id }).where('id', '=', spaceId).execute();
  await projectFiles(ctx, { organizationId, spaceId }, edit);
  return revision;
}

export const headOf = (ctx: Context, spaceId: string): Promise<RevisionRow> =>
  ctx.db
    .selectFrom('space')
    .innerJoin('revision', 'revision.id', 'space.revisionId')
    .where('space.id', '=', spaceId)
    .selectAll('revision')
    .executeTakeFirstOrThrow();
