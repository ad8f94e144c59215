import { z } from 'zod';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import {
  authorizeChangeRequest,
  changeRequestName,
  editableChangeRequest,
  lockForEdit,
} from '../change-requests/index.ts';
import { importIntoChangeRequest, nameContent, prepareImport } from '../import-engine/index.ts';
import { continueAsRun } from './continue-as-run.ts';
import { CONTINUES, importInput, rejectTooLarge, tooLargeToTry } from './import-input.ts';
import type { Imported } from './resources.ts';

const needed = permissions.importChangeRequestContent.space;

export const importChangeRequestContent = command({
  name: 'importChangeRequestContent',
  scope: 'propose',
  takesLong: true,
  description:
    'Imports a website, a document, an archive or an export into a change request, after the existing pages. ' +
    `The report lists parts that cannot be imported unchanged. ${CONTINUES}`,
  input: z.object({ ...changeRequestName, ...importInput }),
  versioned: 'changeRequestId',
  canDryRun: true,
  authorize: authorizeChangeRequest(needed),
  async prepare(ctx, { url, source, continueAsRun: isContinued, dryRun: isDryRun, ...name }) {
    const { organizationId, revisionId } = await editableChangeRequest(ctx, name, needed);
    const repository = await prepareImport(ctx, organizationId, { url, source });
    if (!repository && isDryRun) throw tooLargeToTry();
    if (!repository) rejectTooLarge(ctx.actor, { continueAsRun: isContinued });
    return repository && nameContent(ctx, repository, revisionId);
  },
  async run(
    ctx,
    { url, source, continueAsRun: _, dryRun: isDryRun, ...name },
    repository,
  ): Promise<Imported & { changeRequestId: string }> {
    if (repository) {
      return { ...(await importIntoChangeRequest(ctx, name, repository, { dryRun: isDryRun })), importRun: null };
    }
    const { id: changeRequestId, organizationId, spaceId } = await lockForEdit(ctx, name, needed);
    const run = await continueAsRun(ctx, organizationId, { url, source }, { spaceId, changeRequestId });
    return { ...run, changeRequestId };
  },
});
