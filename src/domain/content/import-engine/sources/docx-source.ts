import { mkdtemp, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ReportEntry, warning } from '../../../../lib/repository/report.ts';
import { unescapeXml } from '../../../../lib/unescape-xml.ts';
import type { Archive } from '../../../../platform/archive/archive.ts';
import { ArchiveError } from '../../../../platform/archive/archive.ts';
import { convertDocxFormulas } from './docx-formulas.ts';
import { htmlToMarkdown } from './html-source.ts';
import type { RepositorySource, SourceFile } from './source.ts';

const MAX_XML_BYTES = 50 * 1024 * 1024;
const MAX_BYTES = 300 * 1024 * 1024;

export const isDocx = (paths: readonly string[]) => paths.includes('word/document.xml');

/** A Word document as one page with its images, which are written to `folder`. */
export async function docxSource(
  archive: Archive,
  { path, name }: { path: string; name: string },
  folder: string,
): Promise<RepositorySource> {
  await rejectHostile(archive);
  // Slow to load, and few imports need it.
  const { default: mammoth } = await import('mammoth');
  const images: SourceFile[] = [];
  // An import can have several documents.
  const imagesFolder = await mkdtemp(join(folder, 'docx-'));
  const report: ReportEntry[] = [];
  const convertImage = mammoth.images.imgElement(async (image) => {
    const bytes = await bytesOf(image);
    if (bytes === undefined) {
      report.push(warning(name, 'An image is missing in the document.'));
      return { src: '' };
    }
    const type = /^image\/(\w+)/.exec(image.contentType)?.[1] ?? 'bin';
    const place = { container: join(imagesFolder, `${images.length + 1}.${type}`) };
    await writeFile(place.container, bytes);
    const file = { path: `images/image-${images.length + 1}.${type}`, size: (await stat(place.container)).size, place };
    images.push(file);
    return { src: file.path };
  });
  const formulas = await convertDocxFormulas(archive);
  const { value, messages } = await mammoth
    .convertToHtml(formulas ? { buffer: formulas } : { path }, { convertImage, styleMap: STYLES })
    .catch(rejectDamaged);
  for (const message of new Set(messages.map((each) => each.message))) report.push(warning(name, `${message}.`));
  const title = name.replace(/\.docx$/i, '');
  const page = htmlToMarkdown(
    Buffer.from(`<title>${escapeHtml(await titleOf(archive, title))}</title><main>${withFootnotes(value)}</main>`),
    name,
    report,
  );
  const file: SourceFile = { path: `${title.replaceAll('/', '-')}.md`, size: page.length, place: { container: path } };
  return { files: [file, ...images], read: async () => page, names: new Map([[file.path, name]]), report };
}

/** Undefined for an image whose file is missing, with which the library fails. */
async function bytesOf(image: { readAsBuffer(): Promise<Buffer> }): Promise<Buffer | undefined> {
  try {
    return await image.readAsBuffer();
  } catch {
    return undefined;
  }
}

/** The library fails in many ways on parts that are no XML, or refer to parts and notes that do not exist. */
function rejectDamaged(cause: unknown): never {
  throw cause instanceof RangeError
    ? new ArchiveError('unsupported', 'The elements of the Word document are nested too deep.', { cause })
    : new ArchiveError(
        'damaged',
        'The Word document is damaged: a part of it is missing or cannot be read. Open it in Word, save it again, and import that file.',
        { cause },
      );
}

/** Styles for code, as Word, Pandoc and Google Docs name them, besides those that the converter knows. */
const STYLES = [
  ...['HTML Preformatted', 'Code', 'Source Code', 'Code Block', 'Macro Text'].map(
    (name) => `p[style-name='${name}'] => pre:separator('\\n')`,
  ),
  ...['HTML Code', 'Verbatim Char', 'Code Char', 'HTML Typewriter'].map((name) => `r[style-name='${name}'] => code`),
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
];

const MAX_PROPERTIES_BYTES = 1024 * 1024;

/** The title in the properties of the document, for one without a heading; otherwise the name of the file. */
async function titleOf(archive: Archive, name: string): Promise<string> {
  const properties = archive.entries.find(({ path }) => path === 'docProps/core.xml');
  if (!properties || properties.size > MAX_PROPERTIES_BYTES) return name;
  const xml = (await archive.read(properties.path)).toString('utf8');
  const title = /<dc:title>([^<]{1,500})<\/dc:title>/.exec(xml)?.[1]?.trim();
  return title ? unescapeXml(title) : name;
}

const NOTE = /<li id="footnote-(\d{1,6})">/g;

/** Footnotes as definitions, which the conversion to Markdown keeps. The references are links to them. */
function withFootnotes(html: string): string {
  const text = html.replace(
    /<sup>(<a href="#footnote-\d{1,6}" id="footnote-ref-\d{1,6}">\[\d{1,6}\]<\/a>)<\/sup>/g,
    '$1',
  );
  let output = '';
  let from = 0;
  for (const { 0: tag, 1: id, index } of text.matchAll(NOTE)) {
    if (index < from) continue;
    const end = endOfItem(text, index + tag.length);
    if (end < 0) break;
    output += `${text.slice(from, index)}</ol><p><a href="#footnote-${id}"></a>: ${lineOf(text.slice(index + tag.length, end))}</p><ol>`;
    from = end + '</li>'.length;
  }
  return output + text.slice(from);
}

/** The index of the end tag of a list item, which can have lists in it; -1 if there is none. */
function endOfItem(html: string, from: number): number {
  let depth = 0;
  for (const { 1: slash, index } of html.slice(from).matchAll(/<(\/?)li\b/g)) {
    if (slash === '' || depth > 0) depth += slash === '' ? 1 : -1;
    else return from + index;
  }
  return -1;
}

const BLOCK_TAG = /<\/?(?:p|h[1-6]|ul|ol|li|table|thead|tbody|tr|td|th|pre|br)\b[^<>]*>/g;

/** The blocks of a footnote as one line, without the link back. */
const lineOf = (note: string) =>
  note
    .replace(/<a href="#footnote-ref-\d{1,6}">[^<]{0,5}<\/a>/g, '')
    .replace(BLOCK_TAG, ' ')
    .replace(/ +/g, ' ')
    .trim();

/** Rejects what Word never writes: XML entities, which can expand without bound, and very large parts. */
async function rejectHostile(archive: Archive): Promise<void> {
  const total = archive.entries.reduce((bytes, { size }) => bytes + size, 0);
  if (total > MAX_BYTES)
    throw new ArchiveError('too-large', `The unpacked document is larger than ${MAX_BYTES} bytes.`);
  for (const { path, size } of archive.entries) {
    if (!/\.(?:xml|rels)$/i.test(path)) continue;
    if (size > MAX_XML_BYTES) throw new ArchiveError('too-large', `The part "${path}" of the document is too large.`);
    const bytes = await archive.read(path);
    if (bytes.includes('<!DOCTYPE')) throw new ArchiveError('unsupported', `The part "${path}" declares entities.`);
  }
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
