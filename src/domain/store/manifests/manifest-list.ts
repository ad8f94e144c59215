import type { ManifestEntry } from '../../../lib/tree/manifest.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Listed } from '../../../platform/paging/page.ts';
import { pageById } from '../../../platform/paging/page-by-id.ts';

/** How to read the entries of a revision's manifest. */
interface ManifestReading<Row extends ManifestEntry> {
  /**
   * Lists entries from the projection of the head. Empty if the revision is not a head; undefined if it cannot be one.
   */
  head: Listed<Row> | undefined;
  /** All entries, ordered by id. */
  read(): Promise<Row[]>;
  total(): Promise<number>;
}

/**
 * The entries of a manifest ordered by id, and therefore by creation. For the head of a space, pages are read from the
 * projection. For other revisions, all entries of the manifest are read, since they are not stored in this order.
 * Cursors are valid for both: the listing of the head has the same name and no arguments.
 */
export function manifestList<Row extends ManifestEntry>(
  ctx: Context,
  name: string,
  { head, read, total }: ManifestReading<Row>,
): Listed<Row> {
  return {
    total,
    async page(paging) {
      if (head) {
        const page = await head.page(paging);
        // An empty result may also mean that the revision is not, or no longer, the head.
        if (page.rows.length > 0 || paging.size === 0) return page;
      }
      return pageById(ctx, name, await read(), paging);
    },
  };
}
