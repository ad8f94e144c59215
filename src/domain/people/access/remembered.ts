import { LRUCache } from 'lru-cache';
import { atLeast, type Role } from '../../../platform/access/roles.ts';
import type { Context, Services } from '../../../platform/context.ts';
import type { AccessSeen } from './access-held.ts';
import { accessesBy, type Guarded } from './decide.ts';
import type { Loaded } from './load.ts';

/** Number of spaces that a process remembers, with about 300 bytes each. */
const MAX_SPACES = 20_000;

const memories = new WeakMap<Services, LRUCache<string, Guarded>>();

function memoryOf(services: Services): LRUCache<string, Guarded> {
  const known = memories.get(services);
  if (known) return known;
  const memory = new LRUCache<string, Guarded>({ max: MAX_SPACES });
  memories.set(services, memory);
  return memory;
}

/**
 * Decides whether the caller has the wanted role on a space by what this process has read of it before. Needs no statement.
 * Undefined if the caller does not have the role, or if this is not known: the space must then be read, which also tells
 * the error. Always undefined in a transaction.
 *
 * What is remembered can be out of date. So it is only for commands with `writesOnce`, whose statement must contain
 * `accessHeld`: whatever changes a decision, such as a grant, the level, place or deletion of the space, or a block of the
 * organization, changes the version. The statement then writes nothing, the command runs again in a transaction, and the
 * space is forgotten.
 */
export function rememberedAccess(ctx: Context, spaceId: string, wanted: Role): AccessSeen | undefined {
  const memory = memoryOf(ctx.services);
  if (ctx.inTransaction) {
    memory.delete(spaceId);
    return undefined;
  }
  const guarded = memory.get(spaceId);
  const [access] = (guarded && accessesBy(ctx, 'space', [guarded])) ?? [];
  if (!guarded || !access || !atLeast(access.role, wanted)) return undefined;
  return { organizationId: guarded.accessOrganizationId, accessVersion: guarded.accessVersion };
}

/** A row of a space that was read with the caller's access. */
interface SpaceRead extends Loaded {
  id: string;
  organizationId: string;
  defaultLevel: Role | null;
  deletedAt: string | null;
}

/** Remembers what decides on a space, unless nobody can write in it: if it is deleted or its organization is blocked. */
export function rememberAccess({ services, inTransaction }: Context, space: SpaceRead): void {
  const { id, organizationId, defaultLevel, accessParentId, accessVersion, blockedReason, deletedAt } = space;
  // The walk does not read where the space is placed.
  if (inTransaction || accessParentId === undefined || blockedReason !== null || deletedAt !== null) return;
  memoryOf(services).set(id, {
    accessId: id,
    accessOrganizationId: organizationId,
    accessLevel: defaultLevel,
    accessParentId,
    accessVersion,
  });
}
