import type { z } from 'zod';
import type { Level } from '../../../platform/access/roles.ts';
import type { contentLevel } from './enums.ts';

type ContentLevel = z.infer<typeof contentLevel>;

/** A default level as the graph shows it. */
export const levelShown = (stored: Level | null): ContentLevel => stored ?? 'inherit';

/** A default level as REST shows it. */
export const levelInRest = (stored: Level | null) => (stored === 'none' ? null : levelShown(stored));

/** What is stored of a default level that a caller gave; null stands for no access. */
export function levelStored(given: ContentLevel | null): Level | null {
  if (given === null) return 'none';
  return given === 'inherit' ? null : given;
}
