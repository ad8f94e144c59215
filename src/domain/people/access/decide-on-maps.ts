import { markHandled } from '../../../lib/mark-handled.ts';
import type { Context } from '../../../platform/context/context.ts';
import { cachedMapsInVersion, loadMaps, type Maps, mapCallerOf, type Undecided } from './access-maps.ts';

const MAX_ATTEMPTS = 2;

interface Decision<Result> {
  /** Reads rows with the version of their organization's access, and decides on maps if these have the same version. */
  onMaps(): Promise<{ decided: Result } | Undecided>;
  /** Reads rows with a statement that decides itself. */
  inSql(): Promise<Result>;
  /** Whether `onMaps` locks the version until the transaction ends. */
  locksVersion?: boolean;
}

/**
 * Decides about access on maps in memory, or in SQL where maps cannot decide. Maps are cached, but a revocation has effect
 * at once in all processes:
 *
 * 1. A transaction that changes what decisions read gives the organization a new version of its access (`decides`).
 * 2. The statement that reads rows also reads that version, so that both are of the same moment.
 * 3. Maps decide only if they have exactly this version. They then contain what the statement could have read itself.
 * 4. If the versions differ, access has changed between the statement and the maps: both are read again, once. If they
 *    differ again, or if there are no maps, a statement decides on the tables.
 *
 * A transaction that has not locked the version decides in SQL, on what it sees itself. One that has locked it can decide on
 * maps, since nothing that they contain changes before it ends.
 */
export async function decideOnMaps<Result>(
  ctx: Context,
  { onMaps, inSql, locksVersion = false }: Decision<Result>,
): Promise<Result> {
  if (ctx.inTransaction && !locksVersion) return inSql();
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const outcome = await onMaps();
    if (typeof outcome === 'object') return outcome.decided;
    if (outcome === 'no maps') break;
  }
  return inSql();
}

/** The maps of an organization and the caller in exactly the version that a statement has read. */
export async function mapsInVersion(ctx: Context, organizationId: string, version: string): Promise<Maps | Undecided> {
  const caller = mapCallerOf(ctx.actor);
  const cached = cachedMapsInVersion(ctx.services, organizationId, caller, version);
  if (cached) return cached;
  const reading = loadMaps(ctx.services, organizationId, caller, version);
  if (ctx.inTransaction) {
    // Maps are read on another connection, which a transaction must not wait for. The next one finds them.
    void markHandled(reading);
    return 'no maps';
  }
  const maps = await reading;
  return typeof maps === 'string' || maps.organization.version === version ? maps : 'access changed';
}
