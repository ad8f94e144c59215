import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { actingIdOf } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { entityFromRow } from '../../../platform/database/entity-from-row.ts';
import { badInput, conflict } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { lineText } from '../../../platform/shapes/text.ts';
import { authorize, type Loaded, permissions } from '../../people/access/index.ts';
import { type DocumentInput, documentInput, readBody } from '../../store/bodies/index.ts';
import { findTargets } from '../addresses/index.ts';
import { loadRevision } from '../revisions/index.ts';
import { type ChangeRequestRow, changeRequestFor } from './access.ts';
import { ChangeRequest } from './entity.ts';
import { settableChangeRequestStatus } from './enums.ts';
import { changeRequestName } from './get-change-request.ts';
import { lockChangeRequest } from './lock-change-request.ts';

const needed = permissions.updateChangeRequest.space;

/** In UTF-16 code units of the Markdown and of the JSON text. */
const MAX_DESCRIPTION = 50_000;
const MAX_DESCRIPTION_JSON = 500_000;

const input = z.object({
  ...changeRequestName,
  subject: lineText(0, 100).optional().describe('Subject of the change request, up to 100 characters. May be empty.'),
  description: documentInput
    .nullish()
    .describe(
      'Description of the change request, up to 50,000 characters of Markdown. Null or an empty document removes it.',
    ),
  status: settableChangeRequestStatus
    .optional()
    .describe('New status of the change request. CONFLICT if the change request is merged.'),
});

export const updateChangeRequest = command({
  name: 'updateChangeRequest',
  scope: 'propose',
  scopeOf: ({ status }) => (status === undefined ? undefined : 'merge'),
  description:
    'Updates the subject, description or status of a change request. Omitted fields keep their values. Requires ' +
    '`edit` on the space for the author of the change request, and `review` for everyone else.',
  input,
  versioned: 'changeRequestId',
  authorize: (ctx, { changeRequestId = '', spaceId }) => updatable(ctx, { changeRequestId, spaceId: spaceId || null }),
  async prepare(ctx, { description, ...name }) {
    const changeRequest = await updatable(ctx, name);
    return description == null ? description : readDescription(ctx, changeRequest, description);
  },
  async run(ctx, { subject, status, ...name }, description): Promise<ChangeRequestRow> {
    const locked = rejectOthers(ctx, await lockChangeRequest(ctx, name, needed));
    if (status !== undefined && locked.status === 'merged') {
      throw conflict('The change request is merged. Create a new one.');
    }
    const changeRequest = entityFromRow(ctx, ChangeRequest, locked);
    const settings = { subject, description, status };
    const isChanged = (['subject', 'description', 'status'] as const).some(
      (name) => settings[name] !== undefined && !isDeepStrictEqual(settings[name], changeRequest[name]),
    );
    if (!isChanged) return changeRequest;
    ctx.em.assign(changeRequest, { ...settings, updatedAt: nowOf(ctx) });
    await ctx.em.flush();
    const { organizationId, spaceId, id: changeRequestId } = changeRequest;
    await recordEvent(ctx, { kind: 'change_request_updated', organizationId, spaceId, ids: { changeRequestId } });
    return changeRequest;
  },
});

const updatable = async (
  ctx: Context,
  { changeRequestId, spaceId }: { changeRequestId: string; spaceId?: string | null | undefined },
) => rejectOthers(ctx, await changeRequestFor(ctx, changeRequestId, needed, { spaceId }));

/** Requires the higher role for change requests of other authors. */
function rejectOthers(ctx: Context, changeRequest: ChangeRequestRow & Loaded): ChangeRequestRow & Loaded {
  if (changeRequest.createdBy === actingIdOf(ctx.actor)) return changeRequest;
  return authorize(
    ctx,
    changeRequest,
    { what: 'change request', id: changeRequest.id },
    permissions.updateForeignChangeRequest.space,
  );
}

/** The body to store, or null if it is empty. */
async function readDescription(
  ctx: Context,
  { revisionId, organizationId }: ChangeRequestRow,
  description: DocumentInput,
): Promise<JSONDocument | null> {
  const path = ['description'];
  if ((description.markdown?.length ?? 0) > MAX_DESCRIPTION) {
    throw badInput(path, `must be at most ${MAX_DESCRIPTION} characters of Markdown`, 'TOO_LONG');
  }
  const read = await readBody(
    ctx,
    organizationId,
    description,
    path,
    async (addresses) => {
      const revision = await loadRevision(ctx, revisionId);
      return revision ? findTargets(ctx, addresses, { revision }) : {};
    },
    1,
  );
  if (!read || read.isEmpty) return null;
  if (JSON.stringify(read.body).length <= MAX_DESCRIPTION_JSON) return read.body;
  throw badInput(path, 'is too long', 'TOO_LONG');
}
