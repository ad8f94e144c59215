import type { z } from 'zod';
import type { Role } from '../../../platform/access/roles.ts';
import type { contentLevel } from './enums.ts';

type ContentLevel = z.infer<typeof contentLevel>;

/** Converts a stored default level to the value in the graph. */
export const roleShown = (stored: Role | null): ContentLevel => stored ?? 'inherit';

/** Converts a stored default level to the value in REST. */
export const roleInRest = (stored: Role | null) => (stored === 'none' ? null : roleShown(stored));

/** Converts a default level of an input to the stored value. Null means no access. */
export function roleStored(given: ContentLevel | null): Role | null {
  if (given === null) return 'none';
  return given === 'inherit' ? null : given;
}
