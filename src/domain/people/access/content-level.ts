import type { z } from 'zod';
import type { Role } from '../../../platform/access/roles.ts';
import type { contentLevel } from './enums.ts';

type ContentLevel = z.infer<typeof contentLevel>;

/** A default level as the graph shows it. */
export const roleShown = (stored: Role | null): ContentLevel => stored ?? 'inherit';

/** A default level as REST shows it. */
export const roleInRest = (stored: Role | null) => (stored === 'none' ? null : roleShown(stored));

/** What is stored of a default level that a caller gave; null stands for no access. */
export function roleStored(given: ContentLevel | null): Role | null {
  if (given === null) return 'none';
  return given === 'inherit' ? null : given;
}
