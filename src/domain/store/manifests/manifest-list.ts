import type { ManifestEntry } from '../../../lib/tree/manifest.ts';
import type { Context } from '../../../platform/context/context.ts';
import { cursorCodec } from '../../../platform/paging/cursor.ts';
import type { Listed, Page, Paging } from '../../../platform/paging/page.ts';

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
      return pageOf(ctx, name, await read(), paging);
    },
  };
}

function pageOf<Row extends ManifestEntry>(ctx: Context, name: string, all: Row[], paging: Paging): Page<Row> {
  const { size, direction, cursor } = paging;
  const isForward = direction === 'forward';
  // Must match the names in the listing of the head.
  const codec = cursorCodec(ctx.services.secretKeys, `${name}:{}`, 1);
  const [from] = cursor === undefined ? [] : codec.decode(cursor, [isForward ? 'after' : 'before']);
  const rest = from === undefined ? all : all.filter(({ id }) => (isForward ? id > String(from) : id < String(from)));
  const rows = isForward ? rest.slice(0, size) : rest.slice(Math.max(0, rest.length - size));
  const hasMore = rest.length > size && size > 0;
  return {
    rows,
    hasNext: isForward ? hasMore : cursor !== undefined,
    hasPrevious: isForward ? cursor !== undefined : hasMore,
    cursorOf: ({ id }) => codec.encode([id]),
  };
}
