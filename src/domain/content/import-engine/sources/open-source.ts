import { createWriteStream } from 'node:fs';
import { mkdtemp, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isNotionExport } from '../../../../lib/foreign-formats/notion.ts';
import { isMarkdown } from '../../../../lib/repository/repository-path.ts';
import { type Archive, ArchiveError } from '../../../../platform/archive/archive.ts';
import { readFolder } from '../../../../platform/archive/read-folder.ts';
import { openArchive } from '../../../../platform/archive/read-zip.ts';
import { type ArchivePart, type JoinedParts, joinParts } from './archive-parts.ts';
import { docusaurusSource, isDocusaurus } from './docusaurus-source.ts';
import { docxSource, isDocx } from './docx-source.ts';
import { confluenceSource, htmlSource, isHtml } from './html-source.ts';
import { looseKind, looseSource } from './loose-source.ts';
import { isMkdocs, mkdocsSource } from './mkdocs-source.ts';
import { navigationSource } from './navigation-source.ts';
import { notionSource } from './notion-source.ts';
import { repositorySource } from './repository-source.ts';
import { archiveFiles, type ImportFile, type OpenedFiles, type RepositorySource, type SourceKind } from './source.ts';
import { isWiki, wikiSource } from './wiki-source.ts';

/** An opened file or folder. The caller must close it. */
export interface OpenedSource {
  /** More than one for an archive of archives with different files at the same paths. */
  sources: RepositorySource[];
  close(): Promise<void>;
}

/**
 * Opens a file or folder. Throws `ArchiveError` if it is hostile, damaged or of another type. Unpacks into `folder`.
 */
export async function openSource(file: ImportFile, kind: SourceKind, folder: string): Promise<OpenedSource> {
  const isFolder = (await stat(file.path)).isDirectory();
  if (!isFolder && !(await isZip(file.path))) {
    const loose = looseKind(file.name, await headOf(file.path));
    if (loose === undefined || !['auto', 'markdown', 'html'].includes(kind)) throw unreadable();
    return { sources: [await looseSource([file], kind === 'html' ? 'html' : loose)], close: async () => {} };
  }
  const archive = isFolder ? await readFolder(file.path) : await openArchive(file.path);
  const opened = [archive];
  try {
    const sources = await sourcesOf(archive, file, kind === 'zip' ? 'auto' : kind, { folder, opened });
    return { sources, close: () => closeAll(opened) };
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

async function closeAll(archives: readonly Archive[]): Promise<void> {
  for (const archive of archives) await archive.close();
}

interface Unpacking {
  folder: string;
  /** Archives to be closed, including nested ones. */
  opened: Archive[];
}

async function sourcesOf(
  archive: Archive,
  file: ImportFile,
  kind: SourceKind,
  unpacking: Unpacking,
): Promise<RepositorySource[]> {
  const names = archive.entries.map(({ path }) => path);
  if (isDocx(names) && (kind === 'docx' || kind === 'auto')) return [await docxSource(archive, file, unpacking.folder)];
  if (kind === 'docx') throw new ArchiveError('unsupported', 'The file is not a Microsoft Word document (.docx).');
  if (names.includes('entities.xml') && names.includes('exportDescriptor.properties')) throw confluenceXml();
  const { groups, report } = await unpacked(archiveFiles(archive, file.path), kind, unpacking);
  const sources: RepositorySource[] = [];
  for (const files of groups) sources.push(await sourceOf(files, kind));
  sources[0]?.report.push(...report);
  return sources;
}

async function sourceOf(files: OpenedFiles, kind: SourceKind): Promise<RepositorySource> {
  const paths = files.files.map(({ path }) => path);
  const isNotion = kind === 'notion' || (kind === 'auto' && isNotionExport(paths));
  if (isNotion) return notionSource(files);
  if (kind !== 'github-wiki' && kind !== 'html' && isDocusaurus(paths)) return docusaurusSource(files);
  if (kind !== 'github-wiki' && kind !== 'html' && isMkdocs(paths)) return mkdocsSource(files);
  const site = kind === 'github-wiki' || kind === 'html' ? undefined : await navigationSource(files);
  if (site) return site;
  if (kind === 'github-wiki' || (kind === 'auto' && isWiki(paths))) return wikiSource(files);
  const hasMarkdown = paths.some(isMarkdown);
  if (kind === 'markdown' || (kind === 'auto' && hasMarkdown)) return repositorySource(files);
  if (!paths.some(isHtml)) throw noPages();
  return (await confluenceSource(files)) ?? htmlSource(files);
}

const MAX_PARTS = 50;

/** Large exports are zip files of zip files. Opens the inner ones if the outer one contains no pages. */
async function unpacked(files: OpenedFiles, kind: SourceKind, { folder, opened }: Unpacking): Promise<JoinedParts> {
  const parts = files.files.filter(({ path }) => /\.zip$/i.test(path));
  const hasPages = files.files.some(({ path }) => isMarkdown(path) || isHtml(path));
  if (parts.length === 0 || parts.length > MAX_PARTS || hasPages) {
    return { groups: [files], report: [] };
  }
  const [archive] = opened;
  const inner: ArchivePart[] = [];
  // Several files of an import are unpacked into the same folder.
  const partsFolder = await mkdtemp(join(folder, 'parts-'));
  for (const [index, { path }] of parts.entries()) {
    const container = join(partsFolder, `part-${index}.zip`);
    await pipeline((await archive?.stream(path)) ?? [], createWriteStream(container));
    const part = await openArchive(container);
    opened.push(part);
    inner.push({ name: path, ...archiveFiles(part, container) });
  }
  return joinParts(inner, isPageOf(kind));
}

/** Tells by its path whether a file can be a page of a source that is read in this way. */
function isPageOf(kind: SourceKind): (path: string) => boolean {
  if (kind === 'html' || kind === 'confluence') return isHtml;
  if (kind === 'markdown' || kind === 'github-wiki') return isMarkdown;
  return (path) => isMarkdown(path) || isHtml(path);
}

async function isZip(path: string): Promise<boolean> {
  return (await headOf(path)).subarray(0, 2).toString('latin1') === 'PK';
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1_024), 0, 1_024, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

const unreadable = () =>
  new ArchiveError('unsupported', 'The file is not of the given type: it is neither a zip archive nor a text page.');

const noPages = () =>
  new ArchiveError(
    'missing',
    'The archive contains neither a Markdown page nor an HTML page. Put a README.md or SUMMARY.md at its top level. Convert other markup, such as ' +
      'reStructuredText and AsciiDoc, to Markdown or HTML first.',
  );

const confluenceXml = () =>
  new ArchiveError('unsupported', 'This is an XML export from Confluence. Export the space as HTML instead.');
