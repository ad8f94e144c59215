import { sql } from 'kysely';
import type { RefOf } from '../../../lib/document/content-ref.ts';
import type { ServiceUrl } from '../../../lib/document/service-url.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { HeadDifference } from '../../store/trees/index.ts';
import type { LinkBase } from './link-base.ts';

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
  base: Pick<LinkBase, 'revision' | 'filesBefore'>,
  difference: HeadDifference | undefined,
): Promise<(address: FileAddress) => RefOf<'file'> | undefined> {
  const blobs = new Set(addresses.flatMap((address) => (address.kind === 'file' ? address.blob : [])));
  if (blobs.size === 0) return () => undefined;
  const files = await readFiles(ctx, base.revision.spaceId, blobs, difference);
  const isAmbiguous = new Set(files.map(({ blob }) => blob)).size < files.length;
  const before = (isAmbiguous && (await base.filesBefore?.())) || new Set<string>();
  const best = bestFiles(files, before);
  return ({ blob, name }) => {
    const file = best.get(`${blob}/${name}`) ?? best.get(blob);
    return file && { kind: 'file', file: file.id };
  };
}

/**
 * The file that takes precedence, by its bytes, and by its bytes and name. They are sorted once, since a text can have
 * thousands of URLs, and a space thousands of files with the same bytes.
 */
function bestFiles(files: readonly NamedFile[], before: ReadonlySet<string>): Map<string, NamedFile> {
  const rank = (file: NamedFile) => Number(!before.has(file.id));
  const sorted = files.toSorted((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1));
  const best = new Map<string, NamedFile>();
  for (const file of sorted) {
    for (const key of [file.blob, `${file.blob}/${file.name}`]) if (!best.has(key)) best.set(key, file);
  }
  return best;
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
