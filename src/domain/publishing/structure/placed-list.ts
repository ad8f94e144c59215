import type { Context } from '../../../platform/context/context.ts';
import { cursorCodec } from '../../../platform/paging/cursor.ts';
import type { Listed, ListPage, Paging } from '../../../platform/paging/page.ts';

interface Placed {
  id: string;
  place: string;
}

/** A list ordered by `place`. Reads all rows. `binding` identifies it in its cursors. */
export function placedList<Row extends Placed>(
  ctx: Context,
  binding: string,
  read: () => Promise<readonly Row[]>,
): Listed<Row> {
  const codec = cursorCodec(ctx.services.secretKeys, binding, 2);
  return {
    async page(paging): Promise<ListPage<Row>> {
      const isForward = paging.direction === 'forward';
      const position =
        paging.cursor === undefined ? undefined : codec.decode(paging.cursor, [isForward ? 'after' : 'before']);
      const cursor = position && { place: String(position[0]), id: String(position[1]) };
      const sorted = (await read()).toSorted(compare);
      const beyond = cursor ? sorted.filter((row) => compare(row, cursor) === (isForward ? 1 : -1)) : sorted;
      const hasMore = paging.size > 0 && beyond.length > paging.size;
      return {
        rows: cut(beyond, paging),
        hasNext: isForward ? hasMore : cursor !== undefined,
        hasPrevious: isForward ? cursor !== undefined : hasMore,
        cursorOf: ({ place, id }) => codec.encode([place, id]),
      };
    },
    total: async () => (await read()).length,
  };
}

/** By bytes, like the collation of ranks. Ranks are ASCII. */
function compare(left: Placed, right: Placed): number {
  const [a, b] = left.place === right.place ? [left.id, right.id] : [left.place, right.place];
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function cut<Row>(rows: Row[], { size, direction }: Paging): Row[] {
  if (direction === 'forward') return rows.slice(0, size);
  return size === 0 ? [] : rows.slice(-size);
}
