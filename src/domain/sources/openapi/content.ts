import type { Context } from '../../../platform/context.ts';
import { badInput } from '../../../platform/errors.ts';
import type { VersionRow } from './versions.ts';

/** Size of the JSON of a file that the graph returns. REST returns files of any size. */
const MAX_IN_GRAPH = 1_000_000;

/** Directory of all files, in the form that renderers expect: names of files are relative to it. */
const DIRECTORY = './';

/** A file in the form that renderers of specifications expect. The specification is JSON. */
export interface ContentFile {
  filename: string;
  isEntrypoint: boolean;
  references: string[];
  specification: string;
}

/** The files of a version, the entry point first. */
export async function filesOf({ db }: Context, { id }: Pick<VersionRow, 'id'>): Promise<ContentFile[]> {
  const pieces = await db
    .selectFrom('openapi_file')
    .where('versionId', '=', id)
    .orderBy('position')
    .orderBy('piece')
    .select(['position', 'filename', 'references', 'specification'])
    .execute();
  return [...Map.groupBy(pieces, ({ position }) => position)].map(([position, [first, ...others]]) => ({
    filename: first?.filename ?? '',
    references: first?.references ?? [],
    isEntrypoint: position === 0,
    specification: [first, ...others].map((piece) => piece?.specification ?? '').join(''),
  }));
}

/** The list of files as JSON. It is put together from the JSON of the files, which may be tens of megabytes. */
export const printFilesystem = (files: readonly ContentFile[]): string =>
  `[${files
    .map(
      ({ specification, ...file }) =>
        `${JSON.stringify({ dir: DIRECTORY, ...file }).slice(0, -1)},"specification":${specification}}`,
    )
    .join(',')}]`;

/** The list of files for the graph. BAD_USER_INPUT if it is too large for a response of the graph. */
export async function filesystemOf(ctx: Context, version: VersionRow): Promise<unknown> {
  const printed = printFilesystem(await filesOf(ctx, version));
  if (printed.length <= MAX_IN_GRAPH) return JSON.parse(printed);
  throw badInput(
    ['filesystem'],
    `is larger than ${MAX_IN_GRAPH} characters. Use REST, or read operations and schemas instead.`,
  );
}

/** The entry point as it was received. */
export async function sourceOf({ db }: Context, { id, format }: VersionRow) {
  const pieces = await db
    .selectFrom('openapi_file')
    .where('versionId', '=', id)
    .where('position', '=', 0)
    .orderBy('piece')
    .select('source')
    .execute();
  return { text: pieces.map(({ source }) => source).join(''), format };
}
