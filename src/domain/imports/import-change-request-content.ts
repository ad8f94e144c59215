import { z } from 'zod';
import { nowOf } from '../../platform/context.ts';
import { recordEvent } from '../../platform/events/record-event.ts';
import { command, idOf } from '../../platform/operation.ts';
import { needs } from '../access/index.ts';
import { changeRequestFor } from '../change-requests/index.ts';
import { refuseClosed } from '../pages/index.ts';
import { revisionFor } from '../revisions/index.ts';
import { spaceFor } from '../spaces/index.ts';
import { importInput } from './import-input.ts';
import { prepareImport } from './prepare-import.ts';
import { reportOf } from './report-of.ts';
import { writeRepository } from './write-repository.ts';

const needed = needs.importChangeRequestContent.space;

export const importChangeRequestContent = command({
  name: 'importChangeRequestContent',
  takesLong: true,
  description:
    'Imports an uploaded archive of Markdown into a change request, behind the pages that are there. ' +
    'What cannot be taken as it is, is kept as text and reported.',
  input: z.object({
    changeRequestId: idOf('cr'),
    spaceId: idOf('space').nullish().describe('The space that it must belong to.'),
    ...importInput,
  }),
  versioned: 'changeRequestId',
  authorize: (ctx, { changeRequestId = '', spaceId }) =>
    changeRequestFor(ctx, changeRequestId, needed, { ...(spaceId ? { spaceId } : {}) }),
  async prepare(ctx, { changeRequestId, spaceId, url }) {
    const changeRequest = await changeRequestFor(ctx, changeRequestId, needed, { ...(spaceId ? { spaceId } : {}) });
    refuseClosed(changeRequest.status);
    return { changeRequest, repository: await prepareImport(ctx, changeRequest.organization_id, url) };
  },
  async run(ctx, _input, { changeRequest: seen, repository }) {
    await spaceFor(ctx, seen.space_id, needed, { lock: 'for key share' });
    const changeRequest = await changeRequestFor(ctx, seen.id, needed, { lock: 'for no key update' });
    refuseClosed(changeRequest.status);
    const { revision: base } = await revisionFor(ctx, changeRequest.space_id, changeRequest.revision_id);
    const { revision } = await writeRepository(ctx, base, repository, { changeRequestId: changeRequest.id });
    await ctx.db
      .updateTable('change_request')
      .set({ revision_id: revision.id, updated_at: nowOf(ctx) })
      .where('id', '=', changeRequest.id)
      .execute();
    await recordEvent(ctx, {
      kind: 'change_request_content_updated',
      organizationId: changeRequest.organization_id,
      spaceId: changeRequest.space_id,
      ids: { changeRequestId: changeRequest.id, revisionId: revision.id },
    });
    return {
      changeRequestId: changeRequest.id,
      spaceId: changeRequest.space_id,
      revisionId: revision.id,
      ...reportOf(repository),
    };
  },
});
