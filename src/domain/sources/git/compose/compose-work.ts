import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../../lib/canonical.ts';
import type { JSONDocument } from '../../../../lib/document/document.ts';
import { BoundedReport } from '../../../../lib/repository/bounded-report.ts';
import { CONFIGURATION_FILE, type KeptConfiguration } from '../../../../lib/repository/configuration.ts';
import type { ExternalFiles } from '../../../../lib/repository/external-files.ts';
import { planImport, type RepositoryPlan } from '../../../../lib/repository/plan.ts';
import { MAX_IMPORTED_BODY_CHARACTERS } from '../../../../lib/repository/planned-page.ts';
import { readContent } from '../../../../lib/repository/read-content.ts';
import { keptAsWritten, type ReportEntry, type ReportOutcome, warning } from '../../../../lib/repository/report.ts';
import { printTags, TAGS_FILE } from '../../../../lib/repository/tags.ts';
import { VARIABLES_FILE } from '../../../../lib/repository/variables.ts';
import { commentOut } from '../../../../lib/repository/write/comment-out.ts';
import { patchMapping } from '../../../../lib/repository/write/patch-mapping.ts';
import { patchRedirects } from '../../../../lib/repository/write/patch-redirects.ts';
import type { KnownIds } from '../../../content/import-engine/index.ts';
import type { RemoteFile } from '../transport/remote.ts';
import { BranchFiles, type ComposedChange } from './branch-files.ts';
import { composeContent, composePage, type PageFile } from './compose-page.ts';
import { composeSummary } from './compose-summary.ts';
import { BodyReader } from './content-file.ts';
import { type BranchLayout, targetLayout, writtenLayout } from './layout.ts';
import { filesOfPages, type PagesOfPlan, pagesOfPlan, withoutFile } from './pages-of-plan.ts';
import { type PathEntry, pathEntries } from './path-entries.ts';
import type { BranchContent, TargetContent, TargetPage } from './target.ts';

export interface ComposeInput {
  /** Folder with the files of the branch, named by their object IDs, and with the bodies of the target. */
  folder: string;
  files: RemoteFile[];
  /** Paths of what else the branch has, such as symbolic links. */
  skipped: string[];
  /**
   * Known ids of the branch. Null if it was never synchronized: objects are then matched by the path that they would
   * get.
   */
  ids: KnownIds | null;
  /** Settings that are used if `.gitbook.yaml` does not say which folder has the documentation. */
  formerConfiguration: KeptConfiguration | undefined;
  target: BranchContent;
  external?: ExternalFiles;
}

export interface ComposedFiles {
  changes: ComposedChange[];
  entries: PathEntry[];
  /** The settings to use if `.gitbook.yaml` cannot be read later on. */
  configuration: KeptConfiguration | undefined;
  /** The first entries, and numbers of the others. */
  report: ReportEntry[];
  more: Readonly<Record<ReportOutcome, number>>;
}

/**
 * Runs in a worker. Finds the changes that make the files of a branch mean the target. Each file is a patch of the file
 * in the branch, so that a branch that already matches the target has no changes.
 */
export async function work(input: ComposeInput, post: (beat: true) => void): Promise<ComposedFiles> {
  const bodies = new BodyReader(input.folder);
  try {
    return await new Composer(input, bodies, post).compose();
  } finally {
    bodies.close();
  }
}

class Composer {
  readonly #input: ComposeInput;
  readonly #bodies: BodyReader;
  readonly #post: (beat: true) => void;
  readonly #files: BranchFiles;
  readonly #report = new BoundedReport();

  constructor(input: ComposeInput, bodies: BodyReader, post: (beat: true) => void) {
    this.#input = input;
    this.#bodies = bodies;
    this.#post = post;
    this.#files = new BranchFiles(input.folder, input.files);
  }

  async compose(): Promise<ComposedFiles> {
    const { files, skipped, target, external, formerConfiguration } = this.#input;
    const plan = await planImport(files, this.#read, { formerConfiguration });
    const ids = this.#input.ids ?? adoptedIds(plan, target);
    const pages = pagesOfPlan(plan, ids);
    const noFile = withoutFile(target, pages);
    const oldLayout = writtenLayout(plan, ids, filesOfPages(pages), external);
    const newLayout = targetLayout(plan, oldLayout, target, noFile, { external, skipped });
    const summary = composeSummary({
      plan,
      pages,
      target,
      oldLayout,
      layout: newLayout,
      read: await this.#summaryText(plan),
    });
    if (summary.text !== undefined) this.#files.write(plan.configuration.summary, summary.text);
    this.#composePages({ plan, pages, oldLayout, newLayout, titles: summary.titles });
    this.#composeContents(plan, oldLayout, newLayout);
    this.#composeFiles(oldLayout, newLayout);
    this.#composeVariables(plan);
    this.#composeTags(plan);
    this.#composeRedirects(plan, oldLayout, newLayout);
    this.#deleteOld(oldLayout, newLayout);
    return {
      changes: this.#files.changes(),
      entries: await pathEntries(target, newLayout, this.#files.paths(), { read: this.#read, formerConfiguration }),
      configuration: plan.keptConfiguration,
      report: this.#report.entries,
      more: this.#report.more,
    };
  }

  #read = (path: string): Promise<string> => {
    this.#post(true);
    return this.#files.read(path);
  };

  async #summaryText({ configuration, known: { files } }: RepositoryPlan): Promise<string | undefined> {
    return files.has(configuration.summary) ? this.#read(configuration.summary) : undefined;
  }

  #composePages({ pages, ...of }: Omit<PageFile, 'page' | 'text' | 'former'> & { pages: PagesOfPlan }): void {
    const isMoved = hasMoved(of.oldLayout, of.newLayout);
    for (const page of this.#input.target.pages) {
      this.#post(true);
      const path = of.newLayout.pages.get(page.pageId);
      if (path === undefined) {
        if (page.kind === 'computed') this.#report.push(warning(page.title, 'The computed page was not exported.'));
        continue;
      }
      const before = of.oldLayout.pages.get(page.pageId);
      if (page.isSame && before === path && !isMoved) continue;
      const text = before === undefined ? undefined : this.#files.textAt(before);
      const body = page.body && this.#bodies.read(page.body);
      const former = () => this.#formerBody(page);
      const planned = pages.get(page.pageId)?.page;
      const composed = composePage(page, body, path, { ...of, page: planned, text, before, former });
      this.#files.rewrite(path, composed, { path: before, text });
      if (planned?.tooLarge === 'file' && !page.isSame) {
        const message =
          'The page was not exported: the file is too large to be read. Its changes are lost once the file can be read.';
        this.#report.push(keptAsWritten(path, message));
      } else if (planned?.tooLarge && page.body?.offset !== page.former?.body?.offset) {
        const message = `The body of the page was not exported: the file has more than ${MAX_IMPORTED_BODY_CHARACTERS} characters.`;
        this.#report.push(keptAsWritten(path, message));
      }
      if (planned?.isUnread && composed !== text) {
        this.#report.push(replaced(path, 'The front matter could not be read and was replaced.'));
      }
      if (typeof page.fields.emoji === 'string') {
        this.#report.push({
          ...warning(path, 'The emoji of the page was not exported: front matter has none.'),
          severity: 'info',
        });
      }
    }
  }

  #composeContents(plan: RepositoryPlan, oldLayout: BranchLayout, newLayout: BranchLayout): void {
    for (const title of this.#input.target.computedContents) {
      this.#report.push(warning(title, 'The computed reusable content was not exported.'));
    }
    const isMoved = hasMoved(oldLayout, newLayout);
    for (const content of this.#input.target.contents) {
      const [before, path] = [oldLayout.contents.get(content.id), newLayout.contents.get(content.id)];
      if (path === undefined || (content.isSame && before === path && !isMoved)) continue;
      const text = before === undefined ? undefined : this.#files.textAt(before);
      const body = content.body && this.#bodies.read(content.body);
      const former = () => this.#formerBody(content);
      const composed = composeContent(content, body, path, { plan, oldLayout, newLayout, text, before, former });
      this.#files.rewrite(path, composed, { path: before, text });
      if (text !== undefined && composed !== text && readContent(text, path).issue !== undefined) {
        this.#report.push(replaced(path, 'The front matter could not be read and was replaced.'));
      }
    }
  }

  #formerBody({ former }: TargetPage | TargetContent): JSONDocument | undefined {
    return former?.body && this.#bodies.read(former.body);
  }

  /** Files whose bytes differ are written by the receiver. */
  #composeFiles(oldLayout: BranchLayout, newLayout: BranchLayout): void {
    for (const { id, blob } of this.#input.target.files) {
      const path = newLayout.files.get(id);
      const present = path === oldLayout.files.get(id) ? this.#files.bytesAt(path ?? '') : undefined;
      const isSame = present !== undefined && createHash('sha256').update(present).digest('hex') === blob;
      if (path !== undefined && !isSame) this.#files.place(path, id);
    }
  }

  #composeVariables({ configuration: { root }, variables: before }: RepositoryPlan): void {
    const { variables: after } = this.#input.target;
    const path = this.#pathOf(VARIABLES_FILE, root);
    if (before === undefined) {
      this.#replaceUnread(path, 'variables', (comments) => patchMapping(comments, new Map(Object.entries(after))));
      return;
    }
    if (canonicalJson(before) === canonicalJson(after)) return;
    const changes = new Map<string, unknown>();
    for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) changes.set(name, undefined);
    for (const [name, value] of Object.entries(after)) if (before[name] !== value) changes.set(name, value);
    const text = this.#files.textAt(path) ?? '';
    const patched = patchMapping(text, changes);
    if (patched === text)
      this.#report.push(warning(path, 'Changed variables were not exported: the file is not valid YAML.'));
    this.#files.write(path, patched);
  }

  /** Tags only change with imports, so the file is written as a whole. */
  #composeTags({ configuration: { root }, tags: before }: RepositoryPlan): void {
    const { tags: after } = this.#input.target;
    const path = this.#pathOf(TAGS_FILE, root);
    if (before === undefined) {
      this.#replaceUnread(path, 'tags', (comments) => comments + printTags(after));
      return;
    }
    if (canonicalJson(before) === canonicalJson(after)) return;
    if (after.length === 0) this.#files.remove(path);
    else this.#files.write(path, printTags(after));
  }

  /** A file that cannot be read stays as it is until the branch needs other variables or tags. */
  #replaceUnread(path: string, what: 'variables' | 'tags', print: (comments: string) => string): void {
    const { former, [what]: after } = this.#input.target;
    if (former && canonicalJson(former[what]) === canonicalJson(after)) return;
    this.#files.write(path, print(commentOut(this.#files.textAt(path) ?? '')));
    this.#report.push(replaced(path, 'The file could not be read and was replaced.'));
  }

  /** Path of a file in the root of the documentation or of the repository. */
  #pathOf(file: string, root: string): string {
    const inRoot = root === '' ? file : `${root}/${file}`;
    return [inRoot, file].find((each) => this.#files.has(each)) ?? inRoot;
  }

  /** The redirects of `.gitbook.yaml` follow pages whose files move. */
  #composeRedirects(
    { configuration: { root }, redirects }: RepositoryPlan,
    oldLayout: BranchLayout,
    newLayout: BranchLayout,
  ): void {
    const text = redirects.length === 0 ? undefined : this.#files.textAt(CONFIGURATION_FILE);
    if (text === undefined) return;
    const moved = new Map<string, string>();
    for (const [id, before] of oldLayout.pages) {
      const path = newLayout.pages.get(id);
      if (path !== undefined && path !== before) moved.set(before, path);
    }
    const patched = moved.size === 0 ? text : patchRedirects(text, root, moved);
    if (patched !== text) this.#files.write(CONFIGURATION_FILE, patched);
  }

  /** Files of objects that the target no longer has, or has at another path. Files that the space never had stay. */
  #deleteOld(oldLayout: BranchLayout, newLayout: BranchLayout): void {
    for (const kind of ['pages', 'files', 'contents'] as const) {
      const usedPaths = new Set(newLayout[kind].values());
      for (const [id, path] of oldLayout[kind]) {
        if (!id.startsWith('new ') && !usedPaths.has(path)) this.#files.remove(path);
      }
    }
  }
}

const replaced = (path: string, what: string): ReportEntry => ({
  ...warning(
    path,
    `${what} Its old lines are comments now or, if they are too long, only in the history of the branch.`,
  ),
  outcome: 'changed',
});

/** Whether something has another path than before, so that links to it may have to change. */
function hasMoved(oldLayout: BranchLayout, newLayout: BranchLayout): boolean {
  const kinds = ['pages', 'files', 'contents'] as const;
  return kinds.some((kind) =>
    [...oldLayout[kind]].some(([id, path]) => newLayout[kind].has(id) && newLayout[kind].get(id) !== path),
  );
}

/** Ids by the paths that the parts of a target would get in an empty branch. */
function adoptedIds(plan: RepositoryPlan, target: BranchContent): KnownIds {
  const none = new Map<string, string>();
  const empty = { ...plan, known: { ...plan.known, files: new Set<string>() } };
  const layout = targetLayout(
    empty,
    writtenLayout(empty, { pages: none, files: none, contents: none }, none),
    target,
    new Set(),
  );
  const present = (paths: ReadonlyMap<string, string>) =>
    new Map([...paths].filter(([, path]) => plan.known.files.has(path)).map(([id, path]) => [path, id]));
  return { pages: present(layout.pages), files: present(layout.files), contents: present(layout.contents) };
}
