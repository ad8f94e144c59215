import { countEntries } from '../../../lib/tree/manifest.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Content } from '../revisions/index.ts';
import { manifestLoader } from './manifest-source.ts';

/** Maximum numbers of entries per space. A revision lists all of them. */
const LIMITS = {
  files: { max: 20_000, name: 'files', hash: 'filesHash' },
  reusableContents: { max: 5_000, name: 'reusable contents', hash: 'reusableContentsHash' },
  variables: { max: 1_000, name: 'variables', hash: 'variablesHash' },
} as const;

export type LimitedEntries = keyof typeof LIMITS;

const KINDS = Object.keys(LIMITS) as LimitedEntries[]; // the keys of a literal

/**
 * What a space would have too many of after an edit, as a message. Undefined within the limit, and for edits after
 * which there are no more entries than before: a space above a limit can still be edited.
 */
export function tooMany(kind: LimitedEntries, { grownTo = 0 }: { grownTo?: number | undefined }): string | undefined {
  const { max, name } = LIMITS[kind];
  return grownTo > max ? `A space can have at most ${max} ${name}.` : undefined;
}

/** The same for content that replaces another one. Both are stored. */
export async function tooManyIn(
  ctx: Context,
  organizationId: string,
  { before, after }: { before: Content; after: Content },
): Promise<string | undefined> {
  const source = manifestLoader(ctx, organizationId);
  const problems = KINDS.map(async (kind) => {
    const { hash } = LIMITS[kind];
    if (before[hash] === after[hash]) return undefined;
    const [former, count] = await Promise.all([countEntries(before[hash], source), countEntries(after[hash], source)]);
    return tooMany(kind, { grownTo: count > former ? count : undefined });
  });
  return (await Promise.all(problems)).find((problem) => problem !== undefined);
}
