import { defineEntity } from '@mikro-orm/core';
import { hash, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/** Head projection: the reusable contents of each space's primary content. */
export const HeadReusableContent = defineEntity({
  name: 'HeadReusableContent',
  tableName: 'head_reusable_content',
  properties: {
    spaceId: text().primary(),
    /** Compared byte by byte, as the entries of a manifest are: both are read by the same cursors. */
    reusableContentId: text().collation('C').primary(),
    organizationId: text(),
    title: text(),
    /** Null when its body is empty. */
    documentHash: hash().nullable(),
  },
  indexes: [{ name: 'head_reusable_content_document_index', properties: ['organizationId', 'documentHash'] }],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    head_reusable_content: Table<typeof HeadReusableContent>;
  }
}
