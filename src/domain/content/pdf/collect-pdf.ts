import type { ContentRef } from '../../../lib/document/content-ref.ts';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { referencesOf } from '../../../lib/document/references.ts';
import type { PdfPage, PdfTarget } from '../../../lib/pdf/source.ts';
import { refKey } from '../../../lib/pdf/source.ts';
import { makeYielder } from '../../../lib/tick.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import type { Context } from '../../../platform/context/context.ts';
import { ApiError, notFound } from '../../../platform/errors/errors.ts';
import { loadUser } from '../../people/users/index.ts';
import { markBody } from '../../store/bodies/index.ts';
import { type FileRow, filesIn } from '../../store/manifests/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { loadVisibleTree } from '../../store/trees/index.ts';
import { expandPages } from '../computed-sources/index.ts';
import { downloadUrl } from '../files/index.ts';
import { renderBody } from '../rendering/index.ts';
import { type Chosen, choosePages, signOf } from './choose-pages.ts';
import { type ChosenImages, chooseImages } from './collect-images.ts';
import type { PdfName } from './pdf-address.ts';
import { BOOK, type PdfSize } from './pdf-sizes.ts';

/** Input of the printing process. Bodies are JSON text, which is passed on without parsing. */
export interface CollectedPdf {
  title: string;
  subtitle?: string;
  date: string;
  language?: string;
  pages: (Omit<PdfPage, 'body'> & { bodyJson?: string })[];
  images: ChosenImages;
  targets: Record<string, PdfTarget>;
}

const PAGES_AT_A_TIME = 50;

/**
 * Collects everything that a PDF contains, until the signal is aborted. Rejects PDFs that are larger than a size.
 * Permissions were checked when the URL was signed, so this only checks that the space still exists.
 */
export async function collectPdf(
  ctx: Context,
  name: PdfName,
  { size, signal }: { size: PdfSize; signal: AbortSignal },
): Promise<CollectedPdf> {
  const [space, revision, since] = await Promise.all([
    ctx.db
      .selectFrom('space')
      .where('id', '=', name.spaceId)
      .where('deletedAt', 'is', null)
      .selectAll()
      .executeTakeFirst(),
    revisionIn(ctx, name.spaceId, name.revisionId),
    name.sinceId === undefined ? undefined : revisionIn(ctx, name.spaceId, name.sinceId),
  ]);
  if (!space || !revision) throw notFound('space', name.spaceId);
  const read = async (of: RevisionRow) => expandPages(ctx, of, await loadVisibleTree(ctx, of));
  const tree = await read(revision);
  const before = since && new Map((await read(since)).map((page) => [page.pageId, page]));
  const chosen = choosePages(tree, before && [...before.values()], name);
  if (chosen.length > size.maxPages) throw tooLarge();
  const { pages, refs } = await collectPages(ctx, chosen, { revision, since, before, size, signal });
  const files = await filesIn(ctx, revision, unique(refs.flatMap((ref) => (ref.kind === 'file' ? ref.file : []))));
  const images = chooseImages([...files.values()], size.maxImageBytes);
  // A book has room for more.
  if (images.leftOut.size > 0 && size.kind !== BOOK.kind) throw tooLarge();
  return {
    title: space.title,
    ...(await subtitleOf(ctx, name, chosen)),
    date: dateOf(space.language, ctx.services.clock()),
    ...(space.language && { language: space.language }),
    pages,
    images,
    targets: await targetsOf(ctx, refs, tree, files),
  };
}

/** The versions that bodies are read from and compared with, and what bounds reading them. */
interface Versions {
  revision: RevisionRow;
  since: RevisionRow | undefined;
  before: ReadonlyMap<string, LoadedPage> | undefined;
  size: PdfSize;
  signal: AbortSignal;
}

/**
 * The pages with their bodies, and all references of the bodies. Pages are read in batches, with a fixed number of
 * statements per batch.
 */
async function collectPages(
  ctx: Context,
  chosen: readonly Chosen[],
  versions: Versions,
): Promise<{ pages: CollectedPdf['pages']; refs: ContentRef[] }> {
  const pages: CollectedPdf['pages'] = [];
  const refs: ContentRef[] = [];
  const pause = makeYielder();
  let characters = 0;
  for (let start = 0; start < chosen.length; start += PAGES_AT_A_TIME) {
    versions.signal.throwIfAborted();
    const some = chosen.slice(start, start + PAGES_AT_A_TIME);
    const bodies = await Promise.all(some.map((choice) => bodyOf(ctx, choice, versions)));
    for (const [index, { entry }] of some.entries()) {
      const body = bodies[index];
      const bodyJson = body && JSON.stringify(body);
      characters += bodyJson?.length ?? 0;
      if (characters > versions.size.maxCharacters) throw tooLarge();
      if (body) for (const { ref } of referencesOf(body)) refs.push(ref);
      pages.push({ ...entry, ...(bodyJson !== undefined && { bodyJson }) });
      await pause();
    }
  }
  return { pages, refs };
}

const revisionIn = (ctx: Context, spaceId: string, id: string): Promise<RevisionRow | undefined> =>
  ctx.db.selectFrom('revision').where('id', '=', id).where('spaceId', '=', spaceId).selectAll().executeTakeFirst();

/** The body as readers see it, or with marked changes if it changed. */
async function bodyOf(
  ctx: Context,
  { page, isDeleted }: Chosen,
  { revision, since, before, signal }: Versions,
): Promise<JSONDocument | undefined> {
  const was = before?.get(page.pageId);
  const read = (of: RevisionRow, { node }: LoadedPage) =>
    node.kind === 'document' && (node.documentHash !== undefined || node.fields.computed)
      ? renderBody(
          ctx,
          {
            revision: of,
            documentHash: node.documentHash ?? null,
            ...(node.fields.computed && { computed: node.fields.computed }),
            ...(node.fields.variables && { variables: node.fields.variables }),
          },
          { evaluated: 'true', dereferenced: 'true' },
        )
      : undefined;
  const now = isDeleted ? undefined : await read(revision, page);
  if (!since || (was?.documentHash ?? null) === (isDeleted ? null : page.documentHash)) return now;
  const old = was && (await read(since, was));
  return markBody(ctx, { organizationId: revision.organizationId, before: old ?? null, after: now ?? null, signal });
}

async function subtitleOf(ctx: Context, { changeRequestId, pageId }: PdfName, chosen: { page: LoadedPage }[]) {
  if (changeRequestId !== undefined) {
    const row = await ctx.db
      .selectFrom('change_request')
      .where('id', '=', changeRequestId)
      .select(['number', 'subject'])
      .executeTakeFirst();
    return row && { subtitle: `#${row.number} ${row.subject}`.trim() };
  }
  const title = pageId === undefined ? undefined : chosen[0]?.page.title;
  return title === undefined ? {} : { subtitle: title };
}

const dateOf = (language: string | null, date: Date) =>
  new Intl.DateTimeFormat(language ?? 'en', { dateStyle: 'long', timeZone: 'UTC' }).format(date);

/** Labels of the pages, files and users that bodies refer to, and URLs of the files. */
async function targetsOf(
  ctx: Context,
  refs: ContentRef[],
  tree: readonly LoadedPage[],
  files: ReadonlyMap<string, FileRow>,
): Promise<Record<string, PdfTarget>> {
  const userIds = unique(refs.flatMap((ref) => (ref.kind === 'user' ? ref.user : [])));
  const users = await Promise.all(userIds.map((id) => loadUser(ctx, id)));
  const targets: Record<string, PdfTarget> = {};
  for (const { pageId, title, node } of tree)
    targets[refKey({ kind: 'page', page: pageId })] = { label: title, ...signOf(node.fields) };
  for (const [id, { name, blob, organizationId }] of files) {
    targets[refKey({ kind: 'file', file: id })] = { label: name, url: downloadUrl(ctx, organizationId, blob, name) };
  }
  for (const user of users) if (user) targets[refKey({ kind: 'user', user: user.id })] = { label: user.displayName };
  return targets;
}

const unique = (ids: string[]) => [...new Set(ids)];

const tooLarge = () =>
  new ApiError(
    'PAYLOAD_TOO_LARGE',
    `A PDF is limited to ${BOOK.maxPages} pages with 64 MB of documents in JSON. Request a PDF of a single page.`,
  );
