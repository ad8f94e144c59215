import type { ManifestEntry } from '../../../lib/tree/manifest.ts';
import type { Context } from '../../../platform/context.ts';
import { cursorCodec } from '../../../platform/paging/cursor.ts';
import type { Listed, Page, Paging } from '../../../platform/paging/page.ts';

/** How the entries of a revision's manifest are read. */
interface ManifestReading<Row extends ManifestEntry> {
  /** Those of the head of a space, out of its projection: no row when the revision is no head. Undefined: not to be asked. */
  head: Listed<Row> | undefined;
  /** All of them, by id. */
  read(): Promise<Row[]>;
  total(): Promise<number>;
}

/**
 * The entries of a manifest by id, which is by age. The head of a space is read page by page out of its projection; any
 * other revision out of its manifest, whose entries are not in this order and are all read. A cursor holds for both:
 * the listing of the head has the same name and no arguments.
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
        // No row may also mean that the revision is not, or no longer, the head.
        if (page.rows.length > 0 || paging.size === 0) return page;
      }
      return pageOf(ctx, name, await read(), paging);
    },
  };
}

function pageOf<Row extends ManifestEntry>(ctx: Context, name: string, all: Row[], paging: Paging): Page<Row> {
  const { size, direction, cursor } = paging;
  const isForward = direction === 'forward';
  // Bound as the listing of the head binds its own.
  const codec = cursorCodec(ctx.services.secretKey, `${name}:{}`, 1);
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
