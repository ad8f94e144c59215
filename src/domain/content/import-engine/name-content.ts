import type { ContentRef } from '../../../lib/document/content-ref.ts';
import { mapReferences } from '../../../lib/document/references.ts';
import { makeYielder } from '../../../lib/tick.ts';
import type { Context } from '../../../platform/context/context.ts';
import { writeBody } from '../../store/bodies/index.ts';
import { findTargets } from '../addresses/index.ts';
import { loadRevision } from '../revisions/index.ts';
import { type ImportedBody, toImportedBody } from './read-body.ts';
import type { StoredRepository } from './store-files.ts';

/**
 * Replaces absolute URLs of this service's content by references, for content that was exported from this service.
 * Relative URLs belong to the imported source. `revisionId` is the revision that the content is imported into.
 */
export async function nameContent(
  ctx: Context,
  repository: StoredRepository,
  revisionId: string,
): Promise<StoredRepository> {
  const addresses = new Set([...repository.pages, ...repository.contents].flatMap(({ body }) => body?.addresses ?? []));
  const revision = addresses.size === 0 ? undefined : await loadRevision(ctx, revisionId);
  if (!revision) return repository;
  const targets = await findTargets(ctx, [...addresses], { revision });
  const isNamed = (address: string) => Object.hasOwn(targets, address);
  const change = (ref: ContentRef, isMedia: boolean): ContentRef => {
    const target = ref.kind === 'url' && isNamed(ref.url) ? targets[ref.url] : undefined;
    return target === undefined || (isMedia && target.kind !== 'file') ? ref : target;
  };
  const pause = makeYielder();
  const named = async <Part extends { body: ImportedBody | undefined }>(parts: readonly Part[]) => {
    const all: Part[] = [];
    for (const part of parts) {
      const { body: read } = part;
      if (!read?.addresses.some(isNamed)) {
        all.push(part);
        continue;
      }
      await pause();
      const { body: before, source } = await read.unpack();
      const body = { body: mapReferences(before, change), isMarkdown: false, isEmpty: false };
      const named = await writeBody(ctx, revision.organizationId, undefined, body);
      all.push({ ...part, body: toImportedBody({ document: named, source }) });
    }
    return all;
  };
  return { ...repository, pages: await named(repository.pages), contents: await named(repository.contents) };
}
