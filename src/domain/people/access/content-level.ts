import type { z } from 'zod';
import type { Role } from '../../../platform/access/roles.ts';
import type { contentLevel } from './enums.ts';

type ContentLevel = z.infer<typeof contentLevel>;

/** Converts a stored default level to the value in the graph. */
export const levelInGraph = (stored: Role | null): ContentLevel => stored ?? 'inherit';

/** Converts a stored default level to the value in REST. */
export const levelInRest = (stored: Role | null) => (stored === 'none' ? null : levelInGraph(stored));

/** Converts a default level of an input to the stored value. Null means no access, undefined no change. */
export function storedLevel(level: ContentLevel | null | undefined): Role | null | undefined {
  if (level === null) return 'none';
  return level === 'inherit' ? null : level;
}
