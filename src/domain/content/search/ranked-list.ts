import type { Context } from '../../../platform/context/context.ts';
import { cursorCodec } from '../../../platform/paging/cursor.ts';
import type { Listed, ListPage, Paging } from '../../../platform/paging/page.ts';

/** An item of a ranking. Its cursor consists of score and id. */
export interface Ranked {
  id: string;
  score: number;
}

interface Ranking<Item extends Ranked, Row extends Ranked> {
  /** Identifies the list, its parent and its arguments; cursors are bound to it. */
  binding: string;
  /** All items, best first, ties by id. They must fit into memory. */
  read(): Promise<Item[]>;
  /** Loads the rows of one page. */
  load(items: Item[]): Promise<Row[]>;
}

/** A list in an order that no index provides. It is computed again for each page; cursors are positions in it. */
export function rankedList<Item extends Ranked, Row extends Ranked>(
  ctx: Context,
  { binding, read, load }: Ranking<Item, Row>,
): Listed<Row> {
  const codec = cursorCodec(ctx.services.secretKeys, binding, 2);
  let reading: Promise<Item[]> | undefined;
  const items = () => {
    reading ??= read();
    return reading;
  };
  return {
    isUncounted: true,
    async page(paging): Promise<ListPage<Row>> {
      const isForward = paging.direction === 'forward';
      const cursor =
        paging.cursor === undefined ? undefined : codec.decode(paging.cursor, [isForward ? 'after' : 'before']);
      const place = cursor && { score: Number(cursor[0]), id: String(cursor[1]) };
      const beyond = (await items()).filter((item) => !place || isBeyond(item, place, isForward));
      const rows = await load(cut(beyond, paging));
      const hasMore = paging.size > 0 && beyond.length > paging.size;
      return {
        rows,
        hasNext: isForward ? hasMore : place !== undefined,
        hasPrevious: isForward ? place !== undefined : hasMore,
        cursorOf: ({ score, id }) => codec.encode([score, id]),
      };
    },
    total: async () => (await items()).length,
  };
}

function isBeyond(item: Ranked, place: Ranked, isForward: boolean): boolean {
  const [first, second] = isForward ? [place, item] : [item, place];
  return second.score < first.score || (second.score === first.score && second.id > first.id);
}

function cut<Item>(items: Item[], { size, direction }: Paging): Item[] {
  if (direction === 'forward') return items.slice(0, size);
  return size === 0 ? [] : items.slice(-size);
}
