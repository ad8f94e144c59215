import { userIdOf } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { newId } from '../../../platform/ids.ts';
import { toBytes, toHex } from './hash.ts';
import type { RevisionRow } from './revision-row.ts';

/** What a revision holds: hashes in hex, null for an empty manifest. */
export interface Content {
  rootHash: string;
  filesHash: string | null;
  reusableContentsHash: string | null;
  variablesHash: string | null;
}

/** What a revision that is stored holds. */
export function contentIn(revision: RevisionRow): Content {
  const hex = (hash: Uint8Array | null) => hash && toHex(hash);
  return {
    rootHash: toHex(revision.root_hash),
    filesHash: hex(revision.files_hash),
    reusableContentsHash: hex(revision.reusable_contents_hash),
    variablesHash: hex(revision.variables_hash),
  };
}

export interface NewRevision extends Content {
  organizationId: string;
  spaceId: string;
  type: Row<'revision'>['type'];
  parents: string[];
  changeRequestId?: string | null;
  mergedFromId?: string | null;
}

/** Records a revision by the caller, now. */
export async function insertRevision(ctx: Context, revision: NewRevision): Promise<Row<'revision'>> {
  const bytes = (hash: string | null) => (hash === null ? null : toBytes(hash));
  return ctx.db
    .insertInto('revision')
    .values({
      id: newId('rev'),
      organization_id: revision.organizationId,
      space_id: revision.spaceId,
      type: revision.type,
      parents: revision.parents,
      root_hash: toBytes(revision.rootHash),
      files_hash: bytes(revision.filesHash),
      reusable_contents_hash: bytes(revision.reusableContentsHash),
      variables_hash: bytes(revision.variablesHash),
      change_request_id: revision.changeRequestId ?? null,
      merged_from_id: revision.mergedFromId ?? null,
      created_by: userIdOf(ctx.actor) ?? null,
      created_at: nowOf(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
