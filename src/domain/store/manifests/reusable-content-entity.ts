import { defineEntity } from '@mikro-orm/core';
import type { JsonObject } from '../../../lib/canonical.ts';
import { hash, json, reference, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/** Head projection: the reusable contents in the primary content of each space. */
export const HeadReusableContent = defineEntity({
  name: 'HeadReusableContent',
  tableName: 'head_reusable_content',
  properties: {
    spaceId: text().primary(),
    /**
     * Uses the C collation, because the same cursors page through the entries of manifests, which are in byte order.
     */
    reusableContentId: text().collation('C').primary(),
    organizationId: text(),
    title: text(),
    /** Null if the body is empty. */
    documentHash: hash().nullable(),
    /** Hash of the Markdown that the body was written as. */
    sourceHash: hash().nullable(),
    /** Source that the body is computed from. Null for contents with a body of their own. */
    computed: json<JsonObject>().nullable(),
    space: reference('Space', 'space_id'),
    organization: reference('Organization', 'organization_id'),
  },
  indexes: [
    { name: 'head_reusable_content_document_index', properties: ['organizationId', 'documentHash'] },
    {
      name: 'head_reusable_content_computed_index',
      expression: `create index "head_reusable_content_computed_index" on "head_reusable_content" ("space_id") where "computed" is not null`,
    },
  ],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    head_reusable_content: Table<typeof HeadReusableContent>;
  }
}
