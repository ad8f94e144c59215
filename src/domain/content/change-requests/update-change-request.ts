import { z } from 'zod';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { actingIdOf } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context.ts';
import { badInput, conflict } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation.ts';
import { lineOf } from '../../../platform/text.ts';
import { authorize, needs } from '../../people/access/index.ts';
import { type DocumentInput, documentInput, readBody } from '../../store/bodies/index.ts';
import { findTargets } from '../addresses/index.ts';
import { loadRevision } from '../revisions/index.ts';
import { type ChangeRequestRow, changeRequestFor } from './access.ts';
import { holdChangeRequest } from './edit-content.ts';
import { settableChangeRequestStatus } from './enums.ts';
import { changeRequestName } from './get-change-request.ts';

const needed = needs.updateChangeRequest.space;

/** In code units of Markdown, or of JSON text. */
const MAX_DESCRIPTION = 50_000;
const MAX_DESCRIPTION_JSON = 500_000;

const input = z.object({
  ...changeRequestName,
  subject: lineOf(0, 100).optional().describe('What it is about, up to 100 characters; may be empty.'),
  description: documentInput
    .nullish()
    .describe('What it does and why, up to 50,000 characters of Markdown. Null or an empty one removes it.'),
  status: settableChangeRequestStatus
    .optional()
    .describe('Where it stands from now on. CONFLICT once it is merged; setting what it has changes nothing.'),
});

export const updateChangeRequest = command({
  name: 'updateChangeRequest',
  description:
    'Changes the subject, description or status of a change request; members that are left out stay as they are. For its ' +
    'author with `edit` on the space, and for everybody with `review`.',
  input,
  versioned: 'changeRequestId',
  authorize: (ctx, { changeRequestId = '', spaceId }) => updatable(ctx, { changeRequestId, spaceId: spaceId || null }),
  async prepare(ctx, { description, ...name }) {
    const found = await updatable(ctx, name);
    return description == null ? description : readDescription(ctx, found, description);
  },
  async run(ctx, { subject, status, ...name }, description): Promise<ChangeRequestRow> {
    const held = refuseOthers(ctx, await holdChangeRequest(ctx, name, needed));
    if (status !== undefined && held.status === 'merged') {
      throw conflict('This change request is merged, which is final; open another one.');
    }
    const isSame = [
      subject === undefined || subject === held.subject,
      description === undefined || JSON.stringify(description) === JSON.stringify(held.description),
      status === undefined || status === held.status,
    ].every(Boolean);
    if (isSame) return held;
    const changed = await ctx.db
      .updateTable('change_request')
      .set({ subject, description, status, updated_at: nowOf(ctx) })
      .where('id', '=', held.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const { organization_id: organizationId, space_id: spaceId, id: changeRequestId } = held;
    await recordEvent(ctx, { kind: 'change_request_updated', organizationId, spaceId, ids: { changeRequestId } });
    return changed;
  },
});

const updatable = async (
  ctx: Context,
  { changeRequestId, spaceId }: { changeRequestId: string; spaceId?: string | null | undefined },
) => refuseOthers(ctx, await changeRequestFor(ctx, changeRequestId, needed, { spaceId }));

/** Whoever is not its author needs more (docs/decisions.md, Permissions). */
function refuseOthers<Found extends Awaited<ReturnType<typeof changeRequestFor>>>(ctx: Context, found: Found): Found {
  if (found.created_by === actingIdOf(ctx.actor)) return found;
  return authorize(ctx, found, { what: 'change request', id: found.id }, needs.updateForeignChangeRequest.space);
}

/** The body that is kept: none for one that says nothing. */
async function readDescription(
  ctx: Context,
  { revision_id, organization_id }: ChangeRequestRow,
  given: DocumentInput,
): Promise<JSONDocument | null> {
  const path = ['description'];
  if ((given.markdown?.length ?? 0) > MAX_DESCRIPTION) {
    throw badInput(path, `must be at most ${MAX_DESCRIPTION} characters of Markdown`);
  }
  const read = await readBody(ctx, organization_id, given, path, async (addresses) => {
    const revision = await loadRevision(ctx, revision_id);
    return revision ? findTargets(ctx, addresses, { revision }) : {};
  });
  if (!read || read.isEmpty) return null;
  if (JSON.stringify(read.body).length <= MAX_DESCRIPTION_JSON) return read.body;
  throw badInput(path, 'is too long; write what it says into a page');
}
