import type { ContentRef } from '../../../lib/document/content-ref.ts';
import { IN_PAGES } from '../../../lib/document/markdown/forms.ts';
import { parseMarkdown } from '../../../lib/document/markdown/parse.ts';
import { exchangeFormulas } from '../../../lib/foreign-formats/with-formulas.ts';
import { BoundedReport } from '../../../lib/repository/bounded-report.ts';
import { restrictionEntry } from '../../../lib/repository/page-settings.ts';
import { assetsFolder, planImport, type RepositoryPlan } from '../../../lib/repository/plan.ts';
import { MAX_IMPORTED_BODY_CHARACTERS, type PlannedPage, pageKey } from '../../../lib/repository/planned-page.ts';
import { readContent } from '../../../lib/repository/read-content.ts';
import { info, keptAsWritten, type ReportEntry, warning } from '../../../lib/repository/report.ts';
import { isInside, isMarkdown } from '../../../lib/repository/repository-path.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { lineFrom } from '../../../platform/shapes/cut-text.ts';
import {
  deriveWithText,
  type PreparedDocument,
  prepareSource,
  type SourceLink,
  seededKeys,
} from '../../store/prepared-bodies/index.ts';
import { type SizeLimits, sizeWithin } from './import-size.ts';
import type { ImportedBody, ParsedBody } from './read-body.ts';
import { RepositoryReferences } from './repository-references.ts';
import type { KnownIds, RepositorySource } from './sources/source.ts';

/** Maximum length of a page title. */
const MAX_TITLE = 255;

/** Limits of reusable contents. */
const MAX_CONTENT_TITLE = 100;

/** A page ready to be inserted, with its id and body. Its descendants follow it. */
export interface ReadPage {
  pageId: string;
  /** Name of the page in its source: the path of its file or, without a file, a name that begins with `//`. */
  key: string;
  parentId: string | null;
  plan: Omit<PlannedPage, 'children' | 'body' | 'frontMatter' | 'written'>;
  body: ImportedBody | undefined;
  /** Resolved reference of a link page. */
  target: ContentRef | undefined;
  cover: { ref?: ContentRef; refDark?: ContentRef; yPos: number; height?: number } | undefined;
}

/** A page or reusable content whose body was just parsed. */
export type Prepared<Read extends { body: ImportedBody | undefined }> = Omit<Read, 'body'> & {
  body: ParsedBody | undefined;
};

/** A reusable content that pages include, with its body. */
export interface ReadContent {
  id: string;
  /** Path of the included file. */
  path: string;
  title: string;
  body: ImportedBody | undefined;
  /** Whether the file is too large for a content. The body is empty then. */
  isTooLarge: boolean;
  /** Whether the title may be in front matter that cannot be read. It is that of the path instead. */
  isTitleUnread: boolean;
}

/** Receives pages and progress while a source is read. */
export interface Listener {
  /** Called once, before reading, with the number of possible pages. */
  expectPages(count: number): void;
  /** Called for each file that is read. */
  onFile(): void;
  page(page: Prepared<ReadPage>): void;
}

/**
 * Reads the page tree of a source, parents before children, with links resolved to the ids that pages and files will
 * have. Links that cannot be resolved are kept as written and reported. Throws before any page is read if there are too
 * many, or their settings are too large, together with those of earlier sources of the same import.
 */
export async function readRepository(source: RepositorySource, limits: SizeLimits, listener: Listener) {
  listener.expectPages(source.files.filter(({ path }) => isMarkdown(path)).length);
  const read = (path: string) => {
    listener.onFile();
    return source.read(path);
  };
  const plan = await planImport(source.files, read, source);
  const { pageCount, settingsLength } = sizeWithin(limits, plan.pages);
  if (pageCount === 0) {
    throw badInput(['url'], 'The archive has no Markdown pages. Put a README.md or SUMMARY.md at its top level.');
  }
  const reader = new RepositoryReader(plan, source, listener);
  reader.read(plan.pages, null);
  const contents = await reader.readContents(read);
  reader.collectAssets();
  const entries = reportOf(source, [...plan.report, ...reader.report.entries]);
  const report = new BoundedReport();
  report.add(entries, reader.report.more);
  return {
    files: reader.references.usedFiles(),
    contents,
    variables: plan.variables,
    tags: plan.tags,
    redirects: reader.references.redirects(),
    keptConfiguration: plan.keptConfiguration,
    report,
    pageCount,
    settingsLength,
  };
}

/** Reports converted files by their original name, without line numbers of the Markdown. */
function reportOf({ names, report, ...source }: RepositorySource, entries: readonly ReportEntry[]): ReportEntry[] {
  // A missing table of contents is not worth reporting when no file was Markdown originally.
  const relevant = names?.size
    ? entries.filter(({ file, severity }) => file !== 'SUMMARY.md' || severity !== 'info')
    : entries;
  const renamed = relevant.map(({ line, ...entry }) => {
    const name = names?.get(entry.file);
    if (name !== undefined) return { ...entry, file: name };
    return line === undefined ? entry : { ...entry, line };
  });
  return [...report, ...(source.leftOut?.() ?? []), ...renamed];
}

/** Settings of generators, which imports read for themselves. */
const SETTINGS =
  /(?:^|\/)(?:mkdocs\.ya?ml|docusaurus\.config\.[cm]?[jt]s|sidebars\.(?:[cm]?[jt]s|json)|book\.toml|docs\.json|mint\.json|\.gitbook\.yaml)$|(?:^|\/)\.vitepress\/config/;

class RepositoryReader {
  readonly report = new BoundedReport();
  readonly references: RepositoryReferences;
  readonly #plan: RepositoryPlan;
  readonly #listener: Listener;
  readonly #converted: RepositorySource['names'];
  readonly #ids: KnownIds | undefined;

  constructor(plan: RepositoryPlan, source: RepositorySource, listener: Listener) {
    this.references = new RepositoryReferences(plan, source, this.report);
    this.#plan = plan;
    this.#listener = listener;
    this.#converted = source.names;
    this.#ids = source.ids;
  }

  read(plans: readonly PlannedPage[], parentId: string | null): void {
    for (const plan of plans) {
      const page = this.#readPage(plan, parentId);
      this.#listener.page(page);
      // The texts of a whole source take as much memory as everything else.
      Object.assign(plan, { body: '', written: NOTHING, frontMatter: {} });
      this.read(plan.children, page.pageId);
    }
  }

  /** Reads the files that were included, and those that they include, as reusable contents. */
  async readContents(read: (path: string) => Promise<string>): Promise<Prepared<ReadContent>[]> {
    const contents: Prepared<ReadContent>[] = [];
    // Contents may include further ones, so the list grows while it is read.
    for (const [file, id] of this.references.includedFiles()) {
      const { title, bodyLine, issue, ...parts } = readContent(await read(file), file);
      if (issue !== undefined) this.report.push(warning(file, `The front matter was not read: ${issue}.`, 1));
      const isTooLarge = parts.body.length > MAX_IMPORTED_BODY_CHARACTERS;
      if (isTooLarge) this.report.push(warning(file, TOO_LARGE));
      const inDialect = (markdown: string) => exchangeFormulas(markdown, this.#plan.dollars).markdown;
      const body = isTooLarge ? '' : inDialect(parts.body);
      const text = { ...parts.written, body: isTooLarge ? '' : inDialect(parts.written.body) };
      const parsed = body.trim() === '' ? undefined : this.#readBody(body, { file, bodyLine, path: null }, text);
      contents.push({
        id,
        path: file,
        title: lineFrom(title, MAX_CONTENT_TITLE),
        body: parsed,
        isTooLarge,
        isTitleUnread: issue !== undefined,
      });
    }
    return contents;
  }

  /** Adds the files of the folder for them. Others that no page refers to are counted in one entry of the report. */
  collectAssets(): void {
    const folder = assetsFolder(this.#plan.known.root);
    const unusedPaths: string[] = [];
    for (const path of this.#plan.assets) {
      if (this.references.isUsed(path)) continue;
      if (isInside(path, folder)) this.references.fileId(path);
      else if (!SETTINGS.test(path)) unusedPaths.push(path);
    }
    const [first] = unusedPaths;
    if (first === undefined) return;
    const message =
      unusedPaths.length === 1
        ? 'The file was left out: no page refers to it.'
        : `${unusedPaths.length} files were left out, because no page refers to them. This is the first one.`;
    this.report.push({ ...info(first, message), outcome: 'dropped' });
    this.report.more.dropped += unusedPaths.length - 1;
  }

  #readPage(
    { children: _, body, frontMatter, written: text, ...plan }: PlannedPage,
    parentId: string | null,
  ): Prepared<ReadPage> {
    const { file, cover, target } = plan;
    const title = lineFrom(plan.title, MAX_TITLE);
    if (title !== plan.title) {
      const message = 'The title was changed: it was too long, or contained control characters or direction marks.';
      this.report.push({ ...warning(file ?? '', message), outcome: 'changed' });
    }
    const key = pageKey(plan, parentId);
    // Without known ids, pages have no former settings that they could keep.
    const restriction = plan.isUnread && !this.#ids ? restrictionEntry(file ?? '', {}, plan) : undefined;
    if (restriction) this.report.push(restriction);
    const pageId = this.references.pageId(file, key);
    const hasText = body.trim() !== '' || plan.tooLarge !== undefined;
    const isRead = plan.kind === 'document' && hasText && this.#ids?.kept?.get(key) !== pageId;
    const parse = () => (plan.tooLarge ? this.#readLarge(file ?? '') : this.#readBody(body, plan, text));
    return {
      pageId,
      key,
      parentId,
      plan: { ...plan, title, ...(plan.linkTitle === undefined ? {} : { linkTitle: lineFrom(plan.linkTitle, 100) }) },
      body: isRead ? parse() : undefined,
      target: target && this.references.refOf(target, file ?? '', plan.href ?? ''),
      cover: cover && this.#readCover(cover, file ?? ''),
    };
  }

  #readBody(
    body: string,
    plan: Pick<PlannedPage, 'bodyLine' | 'file' | 'path'>,
    text: PlannedPage['written'],
  ): ParsedBody {
    const links = new Map<string, SourceLink>();
    const document = this.#parse(body, plan, links);
    // The Markdown is the result of a conversion, not a text that an author wrote.
    const isWritten = !this.#converted?.has(plan.file ?? '') && (text.head !== '' || text.body !== document.markdown);
    return {
      document,
      source: !isWritten
        ? undefined
        : prepareSource({ ...text, document: document.hash, links: Object.fromEntries(links) }),
    };
  }

  /** A note in place of a text that is too large. The file is attached, unless it stays in the source. */
  #readLarge(file: string): ParsedBody {
    const isAttached = !this.#ids && this.references.hasFile(file);
    const [problem, remedy] = isAttached
      ? [TOO_LARGE, 'It was attached as a file.']
      : [TOO_LARGE, 'The file is not changed, and the page keeps its text.'];
    this.report.push({ ...keptAsWritten(file, `${problem} ${remedy}`), outcome: isAttached ? 'changed' : 'kept' });
    const note = `{% hint style="warning" %}\n${TOO_LARGE}\n{% endhint %}\n`;
    const ref: ContentRef = { kind: 'file', file: isAttached ? this.references.fileId(file) : '' };
    const { document } = parseMarkdown(isAttached ? `${note}\n{% file src="file" %}\n` : note, {
      ...IN_PAGES,
      nextKey: seededKeys(file),
      resolveLink: () => ref,
    });
    return { document: deriveWithText(document), source: undefined };
  }

  /** Parses a body and adds what its URLs lead to. */
  #parse(
    body: string,
    { bodyLine, file, path = null }: Pick<PlannedPage, 'bodyLine' | 'file'> & { path?: string | null },
    links: Map<string, SourceLink>,
  ): PreparedDocument {
    const name = file ?? '';
    const { document, degradations } = parseMarkdown(body, {
      ...IN_PAGES,
      nextKey: seededKeys(body),
      resolveLink: (url, kind) => {
        if (kind === 'include') {
          const content = this.references.contentOf(name, url);
          if (content) links.set(url, { ref: content });
          return content;
        }
        const { ref, link } = this.references.linkOf(name, url, path ?? '');
        if (link) links.set(url, link);
        return ref;
      },
    });
    this.references.useAttributes(body, name);
    for (const { line, message } of degradations) this.report.push(info(name, message, bodyLine + line - 1));
    return deriveWithText(document);
  }

  #readCover({ ref, refDark, ...rest }: NonNullable<PlannedPage['cover']>, file: string): ReadPage['cover'] {
    const light = ref && this.references.refOf(ref, file, '');
    const dark = refDark && this.references.refOf(refDark, file, '');
    return { ...rest, ...(light ? { ref: light } : {}), ...(dark ? { refDark: dark } : {}) };
  }
}

const TOO_LARGE = `The text is too large to be shown here: it has more than ${MAX_IMPORTED_BODY_CHARACTERS} characters.`;

const NOTHING: PlannedPage['written'] = { head: '', body: '' };
