import { sql } from 'kysely';
import type { RefOf } from '../../../lib/document/content-ref.ts';
import type { ServiceUrl } from '../../../lib/document/service-url.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { HeadDifference } from '../../store/trees/index.ts';
import type { TextPlace } from './text-place.ts';

interface NamedFile {
  id: string;
  name: string;
  blob: string;
}

type FileAddress = Extract<ServiceUrl, { kind: 'file' }>;

/**
 * Finds the files of the content that download URLs lead to. URLs identify the bytes, since a file may have been
 * renamed. Of several files with the same bytes, files with the name in the URL take precedence, then files that the
 * text referred to before, then the oldest file.
 */
export async function filesByBlob(
  ctx: Context,
  addresses: readonly ServiceUrl[],
  place: Pick<TextPlace, 'revision' | 'filesBefore'>,
  difference: HeadDifference | undefined,
): Promise<(address: FileAddress) => RefOf<'file'> | undefined> {
  const blobs = new Set(addresses.flatMap((address) => (address.kind === 'file' ? address.blob : [])));
  if (blobs.size === 0) return () => undefined;
  const files = await readFiles(ctx, place.revision.spaceId, blobs, difference);
  const byBlob = Map.groupBy(files, ({ blob }) => blob);
  const isAmbiguous = [...byBlob.values()].some((same) => same.length > 1);
  const before = (isAmbiguous && (await place.filesBefore?.())) || new Set<string>();
  return ({ blob, name }) => {
    const rank = (file: NamedFile) => Number(file.name !== name) * 2 + Number(!before.has(file.id));
    const [file] = (byBlob.get(blob) ?? []).toSorted((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1));
    return file && { kind: 'file', file: file.id };
  };
}

async function readFiles(
  ctx: Context,
  spaceId: string,
  blobs: ReadonlySet<string>,
  difference: HeadDifference | undefined,
): Promise<NamedFile[]> {
  const { rows } = await sql<NamedFile>`
    select f.file_id as id, f.name, w.blob
    from unnest(${[...blobs]}::text[]) as w(blob)
    join space s on s.id = ${spaceId}
    join head_file f on f.organization_id = s.organization_id and f.blob_hash = decode(w.blob, 'hex') and f.space_id = s.id
  `.execute(ctx.db);
  if (!difference) return rows;
  const { put, gone: removedIds } = difference.files;
  const replaced = new Set([...removedIds, ...put.map(({ id }) => id)]);
  return [...rows.filter(({ id }) => !replaced.has(id)), ...put.filter(({ blob }) => blobs.has(blob))];
}
