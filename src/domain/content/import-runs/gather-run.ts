import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { atEnd } from '../../../platform/operation/cleanup.ts';
import {
  acquireSource,
  type Gathering,
  gatherFiles,
  gatherSite,
  KIND_BY_TYPE,
  type StoredRepository,
  TooManyPages,
} from '../import-engine/index.ts';
import type { ImportRunRow } from './access.ts';
import type { ImportWatch } from './watch-import-run.ts';

/** Limits of one import run. What a website has beyond them is left out and reported. */
const LIMITS = { pages: 10_000, bytes: 1024 ** 3, timeMs: 20 * 60_000 };

/** Reads the source of an import run. Files are put into storage; nothing else is written. */
export async function gatherRun(ctx: Context, run: ImportRunRow, watch: ImportWatch): Promise<StoredRepository> {
  try {
    return await gather(ctx, run, watch);
  } catch (error) {
    if (!(error instanceof TooManyPages)) throw error;
    throw badInput(['source'], `${error.message} At most ${LIMITS.pages} can be imported at once. Import it in parts.`);
  }
}

async function gather(
  ctx: Context,
  { organizationId, source, ...run }: ImportRunRow,
  { signal, progress }: ImportWatch,
): Promise<StoredRepository> {
  const of = { ctx, organizationId };
  const spaceId = run.changeRequestId === null ? run.spaceId : undefined;
  const gathering: Gathering = { limits: LIMITS, overLimit: () => {}, signal, progress, spaceId };
  if (source.type === 'website') return gatherSite(of, source.url, gathering);
  return gatherFiles(of, KIND_BY_TYPE[source.source ?? ''] ?? 'auto', gathering, async (folder) => {
    const files = [];
    for (const url of source.url === undefined ? source.files : [source.url]) {
      const { file, release } = await acquireSource(ctx, organizationId, url, folder);
      atEnd(ctx, release);
      files.push(file);
    }
    return files;
  });
}
