import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { command } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { type ChangeRequestName, changeRequestName, editableChangeRequest } from '../change-requests/index.ts';
import { authorizeEdit, editChangeRequest } from '../editing/index.ts';
import { importInput } from './import-input.ts';
import { nameContent } from './name-content.ts';
import { prepareImport } from './prepare-import.ts';
import { reportOf } from './report-of.ts';
import type { StoredRepository } from './store-files.ts';
import { writeRepository } from './write-repository.ts';

const needed = permissions.importChangeRequestContent.space;

export const importChangeRequestContent = command({
  name: 'importChangeRequestContent',
  takesLong: true,
  description:
    'Imports a website, a document, an archive or an export into a change request, after the existing pages. What cannot ' +
    'be imported unchanged is reported. Limited to 2,000 pages and 30 seconds. For larger imports, use `startImportRun`.',
  input: z.object({ ...changeRequestName, ...importInput }),
  versioned: 'changeRequestId',
  authorize: authorizeEdit(needed),
  async prepare(ctx, { url, source, ...name }) {
    const { organizationId, revisionId } = await editableChangeRequest(ctx, name, needed);
    return nameContent(ctx, await prepareImport(ctx, organizationId, { url, source }), revisionId);
  },
  run: (ctx, name, repository) => importIntoChangeRequest(ctx, name, repository),
});

/** Writes imported content into a change request, at the top level or below a page, and moves its head. */
export async function importIntoChangeRequest(
  ctx: Context,
  name: ChangeRequestName,
  repository: StoredRepository,
  parentId?: string | null,
) {
  const { written: _, ...edited } = await editChangeRequest(ctx, name, needed, ({ id: changeRequestId }, base) =>
    writeRepository(ctx, base, repository, { changeRequestId, parentId }),
  );
  return { ...edited, ...reportOf(repository) };
}
