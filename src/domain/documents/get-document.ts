import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { hashPrefixOf, isId } from '../../platform/ids.ts';
import { idOf, query } from '../../platform/operation.ts';
import { needs } from '../access/index.ts';
import { type SpaceRow, spaceFor } from '../spaces/index.ts';
import type { StoredDocument } from './load-document.ts';

export const getDocument = query({
  name: 'getDocument',
  description:
    'A body by its id, while a page or a reusable content of the space has it. Other revisions give their bodies by the pages that have them.',
  openToAnonymous: true,
  input: z.object({ spaceId: idOf('space'), documentId: idOf('doc') }),
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, needs.getDocument.space),
  async run(ctx, { spaceId, documentId }): Promise<StoredDocument> {
    const space = await spaceFor(ctx, spaceId, needs.getDocument.space);
    const document = isId('doc', documentId) ? await documentIn(ctx, space, hashPrefixOf(documentId)) : undefined;
    if (!document) throw notFound('document', documentId);
    return document;
  },
});

/** The rest of a hash, in which an id leaves it open. */
const REST_BYTES = 16;

/** Two index scans, whatever the size of the space. What another space has is not looked at. */
async function documentIn(ctx: Context, space: SpaceRow, prefix: Buffer): Promise<StoredDocument | undefined> {
  const [least, most] = [0x00, 0xff].map((byte) => Buffer.concat([prefix, Buffer.alloc(REST_BYTES, byte)]));
  const has = (table: 'head_page' | 'head_reusable_content') => sql`
    select h.document_hash from ${sql.table(table)} h
    where h.organization_id = ${space.organization_id} and h.document_hash between ${least} and ${most}
      and h.space_id = ${space.id}`;
  const { rows } = await sql<StoredDocument>`
    select d.body, d.markdown from document d
    where d.organization_id = ${space.organization_id}
      and d.hash = (${has('head_page')} union ${has('head_reusable_content')} limit 1)`.execute(ctx.db);
  return rows[0];
}
