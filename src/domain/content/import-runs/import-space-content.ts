import { z } from 'zod';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { importIntoSpace, nameContent, prepareImport, rejectLocked } from '../import-engine/index.ts';
import { continueAsRun } from './continue-as-run.ts';
import { CONTINUES, importInput, rejectTooLarge, tooLargeToTry } from './import-input.ts';
import type { Imported } from './resources.ts';

const needed = permissions.importSpaceContent.space;

export const importSpaceContent = command({
  name: 'importSpaceContent',
  scope: 'write',
  takesLong: true,
  description:
    'Imports a website, a document, an archive or an export into the primary content of a space, after the existing pages. ' +
    `The page tree, links and images are preserved. The report lists parts that cannot be imported unchanged. ${CONTINUES}`,
  input: z.object({ spaceId: idOf('space'), ...importInput }),
  versioned: 'spaceId',
  canDryRun: true,
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, needed),
  async prepare(ctx, { spaceId, url, source, continueAsRun: isContinued, dryRun: isDryRun }) {
    const space = await spaceFor(ctx, spaceId, needed);
    rejectLocked(space);
    const repository = await prepareImport(ctx, space.organizationId, { url, source }, spaceId);
    if (!repository && isDryRun) throw tooLargeToTry();
    if (!repository) rejectTooLarge(ctx.actor, { continueAsRun: isContinued });
    return repository && nameContent(ctx, repository, space.revisionId);
  },
  async run(ctx, { spaceId, url, source, dryRun: isDryRun }, repository): Promise<Imported> {
    if (repository) {
      return { ...(await importIntoSpace(ctx, spaceId, repository, { dryRun: isDryRun })), importRun: null };
    }
    const space = await spaceFor(ctx, spaceId, needed, { lock: 'for no key update' });
    rejectLocked(space);
    return continueAsRun(ctx, space.organizationId, { url, source }, { spaceId });
  },
});
