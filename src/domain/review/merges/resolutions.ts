import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Conflict, Resolution } from '../../../lib/merge/conflict.ts';
import type { Context } from '../../../platform/context.ts';
import { badInput, conflict } from '../../../platform/errors.ts';
import { findTargets } from '../../content/addresses/index.ts';
import type { ContentMerge } from '../../content/merging/index.ts';
import { readBody } from '../../store/bodies/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { conflictSide } from './enums.ts';
import { faultOfText } from './field-text.ts';

/** Markdown of all resolutions of one call together. */
const MAX_CHARACTERS = 1_000_000;

const resolution = z
  .object({
    conflictId: z.string().max(100).meta({ prefix: 'conflict', description: 'Which conflict, by its id.' }),
    choice: conflictSide.nullish().describe('Takes what one of the versions has.'),
    markdown: z
      .string()
      .max(200_000)
      .nullish()
      .describe(
        'Takes this instead: of a block its Markdown, of a title, description or name its text. Up to 200,000 characters.',
      ),
    document: z
      .unknown()
      .meta({ scalar: 'JSONObject', description: 'Takes the blocks of this document instead of a block.' })
      .optional(),
  })
  .refine(
    ({ choice, markdown, document }) => [choice, markdown, document].filter((given) => given != null).length === 1,
    {
      error: 'give exactly one of choice, markdown and document.',
    },
  )
  .meta({ inputName: 'ConflictResolutionInput', description: 'How a conflict is settled: exactly one of the ways.' });

export const resolutions = z
  .array(resolution)
  .max(5_000)
  .describe('One for each conflict that the change request has, at most 5,000.');

type Given = z.output<typeof resolution>;

/**
 * Resolutions as the merge takes them: by id, in the form that fits what they settle. Addresses in Markdown mean content of
 * the revision, which is that of the change request.
 */
export async function readResolutions(
  ctx: Context,
  organizationId: string,
  given: readonly Given[],
  { conflicts, revision }: { conflicts: readonly Conflict[]; revision: RevisionRow },
): Promise<Map<string, Resolution>> {
  const known = new Map(conflicts.map((each) => [each.id, each]));
  const read = new Map<string, Resolution>();
  let characters = 0;
  for (const [index, { conflictId, choice, markdown, document }] of given.entries()) {
    const path = ['resolutions', index];
    if (read.has(conflictId)) throw badInput([...path, 'conflictId'], `"${conflictId}" is settled twice.`);
    characters += markdown?.length ?? 0;
    if (characters > MAX_CHARACTERS)
      throw badInput(path, `${MAX_CHARACTERS} characters of Markdown together are too many.`);
    const settled = known.get(conflictId);
    if (choice != null) read.set(conflictId, { choice });
    else if (markdown != null && settled?.block == null) {
      const fault = settled && faultOfText(settled, markdown);
      if (fault !== undefined) throw badInput([...path, 'markdown'], fault);
      read.set(conflictId, { text: markdown });
    } else {
      await setImmediate();
      const find = (addresses: readonly string[]) => findTargets(ctx, addresses, { revision, ...pageOf(settled) });
      const body = (await readBody(ctx, organizationId, { markdown: markdown ?? null, document }, path, find))?.body;
      if (body) read.set(conflictId, { document: body });
    }
  }
  return read;
}

/** The page whose body a conflict is in. */
const pageOf = (settled: Conflict | undefined) =>
  settled?.target.type === 'page' && settled.target.id !== null ? { page: { id: settled.target.id } } : {};

/**
 * Refuses resolutions that settle something else than what there is: 409 for conflicts that are not, or no longer, there; 400
 * for a way that does not fit, and for conflicts that `before` shows and nothing settles.
 */
export function rejectUnsettled(
  { conflicts, unknown, unfit }: Exclude<ContentMerge, { merged: unknown }>,
  before: readonly Conflict[],
): void {
  if (unknown.length > 0) {
    throw conflict(
      `There is no conflict ${unknown.slice(0, MAX_LISTED).join(', ')} any more; read the conflicts again.`,
    );
  }
  const [first] = unfit;
  if (first !== undefined) {
    const what = 'only a block takes a document, and only a title, description or name a text';
    throw badInput(['resolutions'], `The conflict ${first} cannot be settled so: ${what}; else choose a version.`);
  }
  const shown = new Set(before.map(({ id }) => id));
  const missing = conflicts.filter(({ id }) => shown.has(id)).map(({ id }) => id);
  if (missing.length === 0) return;
  const rest = missing.length > MAX_LISTED ? ` and ${missing.length - MAX_LISTED} more` : '';
  throw badInput(['resolutions'], `Nothing settles ${missing.slice(0, MAX_LISTED).join(', ')}${rest}.`);
}

const MAX_LISTED = 20;
