import { z } from 'zod';
import { maxFittingCount } from '../result.ts';

// Inputs and outputs that tools share.

/** An ID. An empty one would name another route or nothing. */
export const anyId = z.string().min(1).max(200);

const id = (what: string, prefix: string) => anyId.describe(`ID of the ${what} (\`${prefix}_…\`).`);

export const organizationIdInput = id('organization', 'org');
export const spaceIdInput = id('space', 'space');
export const pageIdInput = id('page', 'page');
export const siteIdInput = id('site', 'site');
export const commentIdInput = id('comment', 'comment');
export const clusterIdInput = id('cluster of questions', 'cluster');
export const changeRequestIdInput = anyId.describe('ID of the change request (`cr_…`), or its number in the space.');

/** The content that a tool reads. */
export const version = {
  spaceId: spaceIdInput,
  changeRequestId: changeRequestIdInput
    .optional()
    .describe('ID or number of a change request, to read its content. Default: the primary content of the space.'),
};

interface Version {
  spaceId: string;
  changeRequestId?: string | undefined;
}

/** The parameters in the path of a route of a space or a change request. */
export const versionParams = ({ spaceId, changeRequestId }: Version): Record<string, string> => ({
  spaceId,
  ...(changeRequestId !== undefined && { changeRequestId }),
});

export const dryRunInput = z
  .boolean()
  .default(false)
  .describe('Whether to return the differences and new broken links without writing anything.');

export const userShape = z.object({ id: z.string(), displayName: z.string() });

export const appUrls = z.object({ app: z.string().describe('URL in the web application, for citations.') });

export const conflictShape = z.object({
  id: z.string().describe('ID for `resolveConflicts`. It changes when one of the three versions changes.'),
  kind: z.string(),
  target: z.string().describe('Type of the object in conflict.'),
  targetId: z.string().optional(),
  field: z.string().optional(),
  block: z.string().optional(),
  page: z.object({ id: z.string(), title: z.string(), path: z.string().optional() }).optional(),
  base: z.unknown().optional().describe('Common ancestor.'),
  ours: z.unknown().optional().describe('Version of the change request.'),
  theirs: z.unknown().optional().describe('Version of the primary content.'),
});

interface RawVersion {
  markdown?: string;
  value?: unknown;
}

const versionOf = (version: unknown): unknown => {
  const { markdown, value } = (version ?? {}) as RawVersion; // a version of a conflict, or null
  return markdown ?? value ?? null;
};

/** A conflict of REST, with each version as its text or value. */
export const conflictOf = (conflict: Record<string, unknown>) => ({
  ...conflict,
  base: versionOf(conflict.base),
  ours: versionOf(conflict.ours),
  theirs: versionOf(conflict.theirs),
});

/** What to do when a change request conflicts with the primary content. */
export const CONFLICT_REMEDY =
  'Nothing was changed. Read the other conflicts with listConflicts, if there are any, then call resolveConflicts with one resolution for each conflict: a choice of "base", "ours" (this change request) or "theirs" (the primary content), or new Markdown.';

/** Maximum number of conflicts that REST shows where they are not a paged list. */
const MAX_SHOWN = 100;

export const conflictsShape = {
  conflicts: z.array(conflictShape).optional().describe('The first conflicts.'),
  hasMoreConflicts: z
    .boolean()
    .optional()
    .describe('Whether there may be conflicts besides these. Read all with listConflicts.'),
};

interface Conflicting {
  conflicts?: Record<string, unknown>[];
}

/** A response of REST with as many of its conflicts as fit. `shape` reduces it to what the tool answers. */
export function withConflicts(response: unknown, shape: z.ZodObject): unknown {
  const { conflicts: all = [], ...rest } = response as Conflicting; // an outcome of REST
  if (all.length === 0) return rest;
  const conflicts = all.map(conflictOf);
  const resultWith = (count: number) =>
    shape.parse({
      ...rest,
      conflicts: conflicts.slice(0, count),
      hasMoreConflicts: count < conflicts.length || conflicts.length >= MAX_SHOWN,
    });
  return resultWith(maxFittingCount(conflicts.length, resultWith, CONFLICT_REMEDY));
}

export const conflictRemedy = ({ conflicts = [] }: { conflicts?: unknown[] | undefined }): string | undefined =>
  conflicts.length > 0 ? CONFLICT_REMEDY : undefined;

/** What changes besides pages. */
export const changeFlags = {
  hasFileChanges: z.boolean().describe('Whether files change.'),
  hasReusableContentChanges: z.boolean().describe('Whether reusable contents change.'),
  hasVariableChanges: z.boolean().describe('Whether variables change.'),
};

export const pageChangeShape = z.object({
  pageId: z.string(),
  title: z.string(),
  effect: z.string(),
  fields: z.array(z.string()),
  diff: z
    .string()
    .nullable()
    .describe(
      'Unified diff of the text. Null if the text does not change, or if the diff is too long: then `fields` has `document`, or `effect` is `created` or `deleted`. Read the page with getPage in both versions instead.',
    ),
});

export const previewShape = z.object({
  pages: z.array(pageChangeShape),
  pagesCount: z.number(),
  ...changeFlags,
  brokenLinks: z.array(z.object({ locationId: z.string(), ref: z.unknown() })),
  brokenLinksCount: z.number().nullable().describe('Null if the content has too many broken links to compare.'),
});
