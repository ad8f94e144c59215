import type { Insertable } from 'kysely';
import { toBytes } from '../../../src/domain/store/revisions/index.ts';
import type { Context } from '../../../src/platform/context/context.ts';
import { accessThrough } from '../../../src/platform/context/database-access.ts';
import type { Services } from '../../../src/platform/context/services.ts';
import type { Tables } from '../../../src/platform/database/tables.ts';
import { idAt } from '../../id-at.ts';
import { fillCollections, placeItems } from './collections.ts';
import { writeContent } from './content.ts';
import { fillDiscussions } from './discussions.ts';
import { fillPeople, type Staff } from './people.ts';
import { type Draw, makeDraw, titleOf } from './prose.ts';
import { insertRows } from './rows.ts';

/** How much of everything there is at scale 1. */
const ORGANIZATIONS = 5;
const SPACES = 500;
const PAGES = 20_000;
const CHANGE_REQUESTS = 10;

/** Pages of the largest space, which is there at every scale, and of other spaces at most. */
export const LARGE = 2_000;
export const ORDINARY = 40;

const STATUSES = ['open', 'open', 'draft', 'open', 'archived'] as const;
const MINUTE_MS = 60_000;

/**
 * Fills an empty, migrated database, as the service would have it after much work. The number of organizations stays
 * the same at every scale: what grows is in them, so that growth shows in lists and indexes.
 */
export async function fill(services: Services, scale: number): Promise<void> {
  const staff = await fillPeople(services.db, ORGANIZATIONS);
  const spaces = Math.max(1, Math.round((SPACES * scale) / ORGANIZATIONS));
  for (const [index, each] of staff.entries()) {
    // One space of each size is there at least: the first organization has the large one.
    const sizes = Array.from({ length: spaces }, (_, place) => sizeOf(place));
    if (index === 0) sizes[0] = LARGE;
    await fillOrganization(services, each, sizes, makeDraw(index + 1));
  }
}

/** 40 pages and fewer in turn, so that the average makes the number of all pages. */
const sizeOf = (place: number) => {
  const average = (PAGES - LARGE) / (SPACES - 1);
  const spread = ORDINARY - average;
  return place % 2 === 0 ? ORDINARY : Math.round(average - spread);
};

async function fillOrganization(services: Services, staff: Staff, sizes: number[], draw: Draw): Promise<void> {
  const { db } = services;
  const { organizationId } = staff;
  const collections = await fillCollections(db, staff);
  const spaces: Insertable<Tables['space']>[] = [];
  const revisions: Insertable<Tables['revision']>[] = [];
  for (const [index, pages] of sizes.entries()) {
    const authorId = authorOf(staff, index);
    const createdAt = new Date(services.clock().getTime() - (sizes.length - index) * MINUTE_MS);
    const ctx = contextOf(services, authorId, createdAt);
    const spaceId = idAt('space', createdAt.getTime());
    const rootHash = await writeContent(ctx, draw, { organizationId, spaceId, authorId, pages });
    const made = { organizationId, createdBy: authorId, createdAt: createdAt.toISOString() };
    const revisionId = idAt('rev', createdAt.getTime());
    revisions.push({ ...made, id: revisionId, spaceId, parents: [], rootHash: toBytes(rootHash) });
    spaces.push({
      ...made,
      id: spaceId,
      title: titleOf(draw).slice(0, 50),
      mergeRules: { type: 'inherit' },
      revisionId,
      latestChangeRequestNumber: CHANGE_REQUESTS,
      updatedAt: made.createdAt,
    });
  }
  await insertRows(db, 'revision', revisions);
  await insertRows(db, 'space', spaces);
  const placed = spaces.map(({ id }, index) => ({ id, parentId: collections[index % collections.length] ?? '' }));
  await placeItems(db, organizationId, placed);
  const changeRequests = spaces.flatMap((space) => changeRequestsOf(space, staff, draw));
  await insertRows(db, 'change_request', changeRequests);
  await fillDiscussions(db, { staff, draw }, { spaces, changeRequests });
}

/** Change requests as they are right after they were made: at the head of their space. */
function changeRequestsOf(space: Insertable<Tables['space']>, staff: Staff, draw: Draw) {
  const createdAt = Date.parse(String(space.createdAt));
  return Array.from({ length: CHANGE_REQUESTS }, (_, index): Insertable<Tables['change_request']> => {
    const at = new Date(createdAt + index * 1_000);
    return {
      id: idAt('cr', at.getTime()),
      organizationId: space.organizationId,
      spaceId: space.id,
      number: index + 1,
      status: STATUSES[index % STATUSES.length] ?? 'open',
      subject: titleOf(draw),
      revisionId: space.revisionId,
      revisionInitialId: space.revisionId,
      createdBy: authorOf(staff, draw(staff.authorIds.length)),
      createdAt: at.toISOString(),
      updatedAt: at.toISOString(),
    };
  });
}

const authorOf = ({ authorIds }: Staff, index: number) => authorIds[index % authorIds.length] ?? '';

/** Somebody who writes, at a time of the past. */
const contextOf = (services: Services, userId: string, at: Date): Context => ({
  actor: { kind: 'user', userId, isOperator: false, by: 'session' },
  ...accessThrough(services.em.fork()),
  services: { ...services, clock: () => at },
  requestId: 'bench',
  log: services.log,
  inTransaction: false,
});
