import { ranksBetween } from '../../../src/lib/rank.ts';
import type { Database } from '../../../src/platform/database/tables.ts';
import { newId } from '../../../src/platform/ids/ids.ts';
import type { Staff } from './people.ts';
import { insertRows } from './rows.ts';

const OUTER = 5;
const INNER = 4;

interface Nested {
  id: string;
  parentId: string;
}

/** Writes collections two deep, with the guests' grants on the outer ones; answers the ids of the inner ones. */
export async function fillCollections(db: Database, { organizationId, teamId }: Staff): Promise<string[]> {
  const outer = below(organizationId, OUTER);
  const inner = outer.flatMap(({ id }) => below(id, INNER));
  const title = (index: number) => `Collection ${index + 1}`;
  await insertRows(
    db,
    'collection',
    [...outer, ...inner].map(({ id }, index) => ({ id, organizationId, title: title(index) })),
  );
  await placeItems(db, organizationId, [...outer, ...inner]);
  await insertRows(
    db,
    'grant',
    outer.map(({ id }) => ({
      targetId: id,
      granteeId: teamId,
      organizationId,
      role: 'edit' as const,
    })),
  );
  return inner.map(({ id }) => id);
}

/** Places items under parents that had none, in their order. */
export async function placeItems(db: Database, organizationId: string, items: readonly Nested[]): Promise<void> {
  const rows = [...Map.groupBy(items, ({ parentId }) => parentId)].flatMap(([parentId, children]) => {
    const ranks = ranksBetween(null, null, children.length);
    return children.map(({ id }, index) => ({
      itemId: id,
      organizationId,
      parentId,
      rank: ranks[index] ?? '',
    }));
  });
  await insertRows(db, 'placement', rows);
}

const below = (parentId: string, count: number): Nested[] =>
  Array.from({ length: count }, () => ({ id: newId('collection'), parentId }));
