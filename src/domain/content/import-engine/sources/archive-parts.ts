import { isNotionExport } from '../../../../lib/foreign-formats/notion.ts';
import { info, quote, type ReportEntry } from '../../../../lib/repository/report.ts';
import { baseName } from '../../../../lib/repository/repository-path.ts';
import type { OpenedFiles, SourceFile } from './source.ts';

/** An archive that is part of another one. */
export interface ArchivePart extends OpenedFiles {
  /** Path of the archive in the other one. */
  name: string;
}

export interface JoinedParts {
  /** Files that belong together. */
  groups: OpenedFiles[];
  report: ReportEntry[];
}

/**
 * Joins the files of several archives, so that no file takes the place of another one. Archives are one group, unless
 * one has a file that is different from the file of an earlier one at the same path: then its pages are a group of
 * their own. This is reported. `isPage` says by its path whether a file can be a page.
 */
export async function joinParts(
  parts: readonly ArchivePart[],
  isPage: (path: string) => boolean,
): Promise<JoinedParts> {
  // Pages of an export from Notion link to each other across archives, so that they stay together.
  const isNotion = isNotionExport(parts.flatMap(({ files }) => files.map(({ path }) => path)));
  const joined: JoinedFiles = new Map();
  const own: OpenedFiles[] = [];
  const report: ReportEntry[] = [];
  const hasPages = ({ files }: ArchivePart) => files.some(({ path }) => isPage(path));
  // The first group has pages, if there are any.
  for (const part of [...parts.filter(hasPages), ...parts.filter((each) => !hasPages(each))]) {
    const clashes = await clashesOf(part, joined);
    const [clash] = clashes;
    if (clash !== undefined && !isNotion && hasPages(part)) {
      own.push(part);
      report.push(info(part.name, `The archive was read on its own: another one has a different ${quote(clash)}.`));
      continue;
    }
    const folder = clash === undefined ? '' : folderFor(part, [...joined.keys()]);
    for (const file of part.files) {
      joined.set(clashes.has(file.path) ? `${folder}/${file.path}` : file.path, { part, file });
    }
    if (clash !== undefined) {
      const message = `Another archive has a different ${quote(clash)}. The file was put into the folder ${quote(folder)}.`;
      report.push(info(part.name, message));
    }
  }
  return { groups: [filesIn(joined), ...own], report };
}

type JoinedFiles = Map<string, { part: ArchivePart; file: SourceFile }>;

const filesIn = (joined: JoinedFiles): OpenedFiles => ({
  files: [...joined].map(([path, { file }]) => ({ ...file, path })),
  read: async (path) => {
    const found = joined.get(path);
    return found ? found.part.read(found.file.path) : Buffer.alloc(0);
  },
});

/** Larger files are taken for different ones. */
const MAX_COMPARED_BYTES = 1024 * 1024;

/** The paths at which there is a different file already. */
async function clashesOf(part: ArchivePart, joined: JoinedFiles): Promise<Set<string>> {
  const clashes = new Set<string>();
  for (const { path, size } of part.files) {
    const other = joined.get(path);
    if (!other) continue;
    const mayBeSame = size === other.file.size && size <= MAX_COMPARED_BYTES;
    const isSame = mayBeSame && (await part.read(path)).equals(await other.part.read(other.file.path));
    if (!isSame) clashes.add(path);
  }
  return clashes;
}

/** A folder with the name of an archive that does not exist yet. */
function folderFor({ name }: ArchivePart, paths: readonly string[]): string {
  const wanted = baseName(name).replace(/\.zip$/i, '') || 'archive';
  const isUsed = (folder: string) => paths.some((path) => path === folder || path.startsWith(`${folder}/`));
  for (let number = 1; ; number++) {
    const folder = number === 1 ? wanted : `${wanted}-${number}`;
    if (!isUsed(folder)) return folder;
  }
}
