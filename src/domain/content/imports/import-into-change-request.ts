import type { Context } from '../../../platform/context/context.ts';
import { permissions } from '../../people/access/index.ts';
import type { ChangeRequestName } from '../change-requests/index.ts';
import { editChangeRequest } from '../editing/index.ts';
import { reportOf } from './report-of.ts';
import type { StoredRepository } from './store-files.ts';
import { writeRepository } from './write-repository.ts';

/** Writes imported content into a change request, at the top level or below a page, and moves its head. */
export async function importIntoChangeRequest(
  ctx: Context,
  name: ChangeRequestName,
  repository: StoredRepository,
  parentId?: string | null,
) {
  const needed = permissions.importChangeRequestContent.space;
  const { written: _, ...edited } = await editChangeRequest(ctx, name, needed, ({ id: changeRequestId }, base) =>
    writeRepository(ctx, base, repository, { changeRequestId, parentId }),
  );
  return { ...edited, ...reportOf(repository) };
}
