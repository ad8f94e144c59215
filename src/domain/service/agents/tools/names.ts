import { z } from 'zod';

// Inputs and outputs that tools share.

const id = (what: string, prefix: string) => z.string().max(200).describe(`ID of the ${what} (\`${prefix}_…\`).`);

export const organizationId = id('organization', 'org');
export const spaceId = id('space', 'space');
export const pageId = id('page', 'page');
export const changeRequestId = z
  .string()
  .max(200)
  .describe('ID of the change request (`cr_…`), or its number in the space.');

/** The content that a tool reads. */
export const version = {
  spaceId,
  changeRequestId: changeRequestId
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

export const dryRun = z
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

/** How an agent gets on when a change request conflicts with the primary content. */
export const CONFLICT_REMEDY =
  'Nothing was changed. Call resolveConflicts with one resolution for each conflict: a choice of "base", "ours" (this change request) or "theirs" (the primary content), or new Markdown.';

export const previewShape = z.object({
  pages: z.array(
    z.object({
      pageId: z.string(),
      title: z.string(),
      effect: z.string(),
      fields: z.array(z.string()),
      diff: z.string().nullable().describe('Unified diff of the text. Null if it stays, or if it is too long.'),
    }),
  ),
  pagesCount: z.number(),
  brokenLinks: z.array(z.object({ locationId: z.string(), ref: z.unknown() })),
  brokenLinksCount: z.number().nullable(),
});
