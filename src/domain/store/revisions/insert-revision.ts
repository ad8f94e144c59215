import { userIdOf } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { jsonColumn } from '../../../platform/database/json-column.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { type RevisionRow, toBytes, toHex } from './revision-row.ts';

/** The content of a revision as hashes in hexadecimal. A null hash is an empty manifest. */
export interface Content {
  rootHash: string;
  filesHash: string | null;
  reusableContentsHash: string | null;
  variablesHash: string | null;
  tagsHash: string | null;
}

/** The content of a stored revision. */
export function contentIn(revision: RevisionRow): Content {
  const hex = (hash: Uint8Array | null) => hash && toHex(hash);
  return {
    rootHash: toHex(revision.rootHash),
    filesHash: hex(revision.filesHash),
    reusableContentsHash: hex(revision.reusableContentsHash),
    variablesHash: hex(revision.variablesHash),
    tagsHash: hex(revision.tagsHash),
  };
}

export interface NewRevision extends Content {
  organizationId: string;
  spaceId: string;
  type: Row<'revision'>['type'];
  parents: string[];
  changeRequestId?: string | null;
  mergedFromId?: string | null;
  git?: Row<'revision'>['git'];
}

/** Inserts a revision with the caller as its author. */
export async function insertRevision(ctx: Context, revision: NewRevision): Promise<Row<'revision'>> {
  const bytes = (hash: string | null) => (hash === null ? null : toBytes(hash));
  return ctx.db
    .insertInto('revision')
    .values({
      id: newId('rev'),
      organizationId: revision.organizationId,
      spaceId: revision.spaceId,
      type: revision.type,
      parents: revision.parents,
      rootHash: toBytes(revision.rootHash),
      filesHash: bytes(revision.filesHash),
      reusableContentsHash: bytes(revision.reusableContentsHash),
      variablesHash: bytes(revision.variablesHash),
      tagsHash: bytes(revision.tagsHash),
      changeRequestId: revision.changeRequestId ?? null,
      mergedFromId: revision.mergedFromId ?? null,
      git: jsonColumn(revision.git),
      createdBy: userIdOf(ctx.actor) ?? null,
      createdAt: nowOf(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
