import { readFolder } from '../../../platform/archive/read-folder.ts';
import type { Context } from '../../../platform/context/context.ts';
import { toImportedBody } from './read-body.ts';
import { type Prepared, type ReadContent, type ReadPage, readRepository } from './read-repository.ts';
import { archiveFiles, decodeText, type RepositorySource } from './sources/source.ts';
import { type StoredRepository, storeFiles } from './store-files.ts';

/** Maximum number of pages of a folder. Those of the service have fewer. */
const MAX_PAGES = 50;

/**
 * Reads a folder of Markdown that is part of the service. It has a few short pages, which take milliseconds, so they
 * are read in the event loop, and wait neither for a slot nor for a worker. Each call gives the pages new ids.
 */
export async function readOwnFolder(ctx: Context, folder: string): Promise<StoredRepository> {
  const archive = await readFolder(folder);
  const report: RepositorySource['report'] = [];
  const read = async (path: string) => decodeText(await archive.read(path), path, report);
  const pages: ReadPage[] = [];
  const listener = {
    expectPages: () => {},
    onFile: () => {},
    page: (page: Prepared<ReadPage>) => void pages.push(withBody(page)),
  };
  const { files } = archiveFiles(archive, folder);
  const repository = await readRepository({ files, read, report }, { maxPages: MAX_PAGES }, listener);
  return storeFiles(ctx, {
    ...repository,
    pages,
    contents: repository.contents.map((content) => withBody(content)),
    report: repository.report.entries,
    unlisted: repository.report.more,
  });
}

const withBody = <Read extends ReadPage | ReadContent>({ body, ...rest }: Prepared<Read>) =>
  ({ ...rest, body: body && toImportedBody(body) }) as Read; // only the body is replaced
