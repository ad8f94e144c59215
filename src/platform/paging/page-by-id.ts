import type { Context } from '../context/context.ts';
import { cursorCodec } from './cursor.ts';
import type { ListPage, Paging } from './page.ts';

/**
 * A page of items that are all read already, ordered by ID. `name` is that of the list in its cursors, as in `listing`:
 * they are also valid for a listing of that name without arguments which is ordered by ID.
 */
export function pageById<Row extends { id: string }>(
  ctx: Context,
  name: string,
  all: readonly Row[],
  { size, direction, cursor }: Paging,
): ListPage<Row> {
  const isForward = direction === 'forward';
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
