import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import type { VersionRow } from './versions.ts';

/** Length of the content that the graph returns. REST returns content of any length. */
const MAX_IN_GRAPH = 1_000_000;
/** No text of that length has more bytes. */
const MAX_BYTES_IN_GRAPH = 4 * MAX_IN_GRAPH;

/** Directory of all files, in the form that renderers expect: names of files are relative to it. */
const DIRECTORY = './';

/** A file in the form that renderers of specifications expect. The specification is JSON. */
export interface ContentFile {
  filename: string;
  isEntrypoint: boolean;
  references: string[];
  specification: string;
}

type Piece = Pick<Row<'openapi_file'>, 'position' | 'filename' | 'references' | 'specification'>;

/** Columns of a piece of a file, which `filesFrom` joins. */
const PIECE = ['position', 'filename', 'references', 'specification'] as const;

/** Number of pieces of a version, of 128 kB each, that any number of requests read at once. */
const FEW_PIECES = 8;

/**
 * Reads the files of a version: large ones in turns, like expensive queries of the graph, since each takes tens of
 * megabytes.
 */
export async function withQuerySlot<Result>(
  ctx: Context,
  { id }: Pick<VersionRow, 'id'>,
  read: () => Promise<Result>,
): Promise<Result> {
  const { pieces } = await ctx.db
    .selectFrom('openapi_file')
    .where('versionId', '=', id)
    .select(({ fn }) => fn.countAll<number>().as('pieces'))
    .executeTakeFirstOrThrow();
  if (pieces <= FEW_PIECES) return read();
  using _turn = await ctx.services.heavyWork.begin('query', { ctx, organizationId: undefined });
  return await read();
}

/** The files of a version, the entry point first. */
export async function versionFiles({ db }: Context, { id }: Pick<VersionRow, 'id'>): Promise<ContentFile[]> {
  const pieces = await db
    .selectFrom('openapi_file')
    .where('versionId', '=', id)
    .orderBy('position')
    .orderBy('piece')
    .select(PIECE)
    .execute();
  return filesFrom(pieces);
}

const filesFrom = (pieces: readonly Piece[]): ContentFile[] =>
  [...Map.groupBy(pieces, ({ position }) => position)].map(([position, [first, ...others]]) => ({
    filename: first?.filename ?? '',
    references: first?.references ?? [],
    isEntrypoint: position === 0,
    specification: [first, ...others].map((piece) => piece?.specification ?? '').join(''),
  }));

/** The list of files as JSON. It is put together from the JSON of the files, which may be tens of megabytes. */
export const printFilesystem = (files: readonly ContentFile[]): string =>
  `[${files
    .map(
      ({ specification, ...file }) =>
        `${JSON.stringify({ dir: DIRECTORY, ...file }).slice(0, -1)},"specification":${specification}}`,
    )
    .join(',')}]`;

/**
 * Whether a piece is of one of these versions whose files, or entry point as received, can be small enough for the
 * graph.
 */
const isSmall = (ids: readonly string[], column: 'specification' | 'source') => sql<boolean>`version_id in (
  select s.version_id from openapi_file s
  where s.version_id = ${anyOf(ids)} and (${sql.lit(column)} = 'specification' or s.position = 0)
  group by s.version_id having sum(octet_length(s.${sql.ref(column)})) <= ${MAX_BYTES_IN_GRAPH})`;

/**
 * Files by the id of their version, batched. Undefined for those that are too large for the graph, which are not read.
 */
const filesInGraph = batchLoader<ContentFile[]>('openapi files', async ({ db }, ids) => {
  const pieces = await db
    .selectFrom('openapi_file')
    .where(isSmall(ids, 'specification'))
    .orderBy('position')
    .orderBy('piece')
    .select(['versionId', ...PIECE])
    .execute();
  return mapValues(
    Map.groupBy(pieces, ({ versionId }) => versionId),
    filesFrom,
  );
});

/** The list of files for the graph. BAD_USER_INPUT if it is too large for a response of the graph. */
export async function filesystemOf(ctx: Context, { id }: VersionRow): Promise<unknown> {
  const files = await filesInGraph(ctx, id);
  const printed = files && printFilesystem(files);
  if (printed !== undefined && printed.length <= MAX_IN_GRAPH) return JSON.parse(printed);
  throw tooLarge('filesystem', 'Use REST, or read operations and schemas instead.');
}

/** Entry points by the id of their version, as `filesInGraph`. */
const sourcesInGraph = batchLoader<string>('openapi sources', async ({ db }, ids) => {
  const pieces = await db
    .selectFrom('openapi_file')
    .where(isSmall(ids, 'source'))
    .where('position', '=', 0)
    .orderBy('piece')
    .select(['versionId', 'source'])
    .execute();
  return mapValues(
    Map.groupBy(pieces, ({ versionId }) => versionId),
    textOf,
  );
});

/** The entry point as it was received, for the graph. BAD_USER_INPUT if it is too large for a response of the graph. */
export async function sourceInGraph(ctx: Context, { id }: VersionRow): Promise<string> {
  const text = await sourcesInGraph(ctx, id);
  if (text !== undefined && text.length <= MAX_IN_GRAPH) return text;
  throw tooLarge('source', 'Use REST.');
}

const tooLarge = (field: string, instead: string) =>
  badInput([field], `is larger than ${MAX_IN_GRAPH} characters. ${instead}`, 'TOO_LARGE');

const mapValues = <Value, Mapped>(values: Map<string, Value>, change: (value: Value) => Mapped) =>
  new Map([...values].map(([key, value]) => [key, change(value)]));

const textOf = (pieces: readonly { source: string }[]) => pieces.map(({ source }) => source).join('');

/** The entry point as it was received. */
export async function entryPointSource({ db }: Context, { id, format }: VersionRow) {
  const pieces = await db
    .selectFrom('openapi_file')
    .where('versionId', '=', id)
    .where('position', '=', 0)
    .orderBy('piece')
    .select('source')
    .execute();
  return { text: textOf(pieces), format };
}
