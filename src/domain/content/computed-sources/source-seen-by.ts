import { type Actor, onlySpacesOf } from '../../../platform/access/actor.ts';

/**
 * The source of computed content as a caller sees it. A translation names another space and what is in it, which is
 * absent for an application that is limited to spaces.
 */
export const sourceSeenBy = <Source extends { type?: unknown }>(
  actor: Actor,
  source: Source | null | undefined,
): Source | null =>
  onlySpacesOf(actor) !== undefined && source?.type === 'builtin:translation' ? null : (source ?? null);
