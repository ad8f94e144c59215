import { z } from 'zod';
import { type Use, usesOf } from '../../../lib/document/uses.ts';
import type { Conflict, Resolution } from '../../../lib/merge/conflict.ts';
import { makeYielder } from '../../../lib/tick.ts';
import { parseOptions } from '../../../lib/validation/describe-issue.ts';
import { withCode } from '../../../lib/validation/issue-code.ts';
import type { Context } from '../../../platform/context/context.ts';
import { badInput, conflict } from '../../../platform/errors/errors.ts';
import { findTargets } from '../../content/addresses/index.ts';
import { pageFields, pageTitle, reusableContentTitle } from '../../content/editing/index.ts';
import { fileName } from '../../content/files/index.ts';
import type { ContentMerge } from '../../content/merge-content/index.ts';
import { rejectHiddenSpecs } from '../../content/visibility/index.ts';
import { readBody } from '../../store/bodies/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { conflictSide } from './enums.ts';

/** Maximum Markdown of all resolutions in one request. */
const MAX_CHARACTERS = 1_000_000;

const resolution = z
  .object({
    conflictId: z.string().max(100).meta({ prefix: 'conflict', description: 'ID of the conflict to resolve.' }),
    choice: conflictSide.nullish().describe('Uses one of the three versions.'),
    markdown: z
      .string()
      .max(200_000)
      .nullish()
      .describe(
        'Replaces a block with this Markdown, or a title, description or name with this text. Up to 200,000 characters.',
      ),
    document: z
      .unknown()
      .meta({ scalar: 'JSONObject', description: 'Replaces a block with the blocks of this document.' })
      .optional(),
  })
  .refine(
    ({ choice, markdown, document }) => [choice, markdown, document].filter((value) => value != null).length === 1,
    {
      error: 'must have exactly one of choice, markdown and document.',
      ...withCode('ONE_OF'),
    },
  )
  .meta({
    inputName: 'ConflictResolutionInput',
    description: 'Resolution of a conflict. Specify exactly one of `choice`, `markdown` and `document`.',
  });

export const resolutions = z
  .array(resolution)
  .max(5_000)
  .describe(
    'One resolution for each conflict of the change request, up to 5,000. All resolutions together can have up to 1,000,000 characters of Markdown.',
  );

type ResolutionInput = z.output<typeof resolution>;

/**
 * Converts resolutions to those of the merge, by conflict id. Links in Markdown are resolved against `revision`, the
 * current one of the change request. Throws BAD_USER_INPUT for duplicates and invalid texts.
 */
export async function readResolutions(
  ctx: Context,
  organizationId: string,
  inputs: readonly ResolutionInput[],
  { conflicts, revision }: { conflicts: readonly Conflict[]; revision: RevisionRow },
): Promise<Map<string, Resolution>> {
  const conflictsById = new Map(conflicts.map((each) => [each.id, each]));
  const read = new Map<string, Resolution>();
  const bodies: { uses: Use[] }[] = [];
  let characters = 0;
  const pause = makeYielder();
  for (const [index, { conflictId, choice, markdown, document }] of inputs.entries()) {
    const path = ['resolutions', index];
    if (read.has(conflictId))
      throw badInput([...path, 'conflictId'], `"${conflictId}" has more than one resolution.`, 'DUPLICATE');
    characters += markdown?.length ?? 0;
    if (characters > MAX_CHARACTERS)
      throw badInput(path, `The Markdown of all resolutions must be at most ${MAX_CHARACTERS} characters.`, 'TOO_LONG');
    const inConflict = conflictsById.get(conflictId);
    if (choice != null) read.set(conflictId, { choice });
    else if (markdown != null && inConflict?.block == null) {
      const fault = inConflict && faultOfText(inConflict, markdown);
      if (fault !== undefined) throw badInput([...path, 'markdown'], fault);
      read.set(conflictId, { text: markdown });
    } else {
      await pause();
      const find = (addresses: readonly string[]) => findTargets(ctx, addresses, { revision, ...pageOf(inConflict) });
      const body = (await readBody(ctx, organizationId, { markdown: markdown ?? null, document }, path, find))?.body;
      if (!body) continue;
      bodies.push({ uses: usesOf(body) });
      read.set(conflictId, { document: body });
    }
  }
  const place = { organizationId, spaceId: revision.spaceId, revisions: [revision] };
  await rejectHiddenSpecs(ctx, place, { bodies }, ['resolutions']);
  return read;
}

/** The page whose body is in conflict. */
const pageOf = (conflict: Conflict | undefined) =>
  conflict?.target.type === 'page' && conflict.target.id !== null ? { page: { id: conflict.target.id } } : {};

/**
 * Throws CONFLICT for resolutions of unknown conflicts, and BAD_USER_INPUT for resolutions that do not fit their
 * conflict and for conflicts in `before` without a resolution.
 */
export function rejectUnresolved(
  { conflicts, unknown, unfit }: Exclude<ContentMerge, { merged: unknown }>,
  before: readonly Conflict[],
): void {
  if (unknown.length > 0) {
    throw conflict(
      `These conflicts no longer exist: ${unknown.slice(0, MAX_LISTED).join(', ')}. Load the conflicts again.`,
    );
  }
  const [first] = unfit;
  if (first !== undefined) {
    const rule =
      'A document can replace only a block, and a text only a title, description or name. Otherwise choose a version, in which there is room for all pages.';
    throw badInput(['resolutions'], `The resolution does not fit the conflict ${first}. ${rule}`);
  }
  const beforeIds = new Set(before.map(({ id }) => id));
  const missing = conflicts.filter(({ id }) => beforeIds.has(id)).map(({ id }) => id);
  if (missing.length === 0) return;
  const rest = missing.length > MAX_LISTED ? ` and ${missing.length - MAX_LISTED} more` : '';
  throw badInput(
    ['resolutions'],
    `These conflicts have no resolution: ${missing.slice(0, MAX_LISTED).join(', ')}${rest}.`,
    'REQUIRED',
  );
}

const MAX_LISTED = 20;

/** Validation of text fields, by the type of the object. */
const FIELDS: Partial<Record<Conflict['target']['type'], Record<string, z.ZodType>>> = {
  page: { title: pageTitle, description: pageFields.description, linkTitle: pageFields.linkTitle },
  file: { name: fileName },
  'reusable-content': { title: reusableContentTitle },
};

/** Reason why the text is not valid for the field in conflict. Resolutions follow the same rules as edits. */
function faultOfText({ target, field }: Conflict, text: string): string | undefined {
  const schema = field === null ? undefined : FIELDS[target.type]?.[field];
  return schema?.safeParse(text, parseOptions).error?.issues[0]?.message;
}
