import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson } from '../../../../lib/canonical.ts';
import { BoundedReport } from '../../../../lib/repository/bounded-report.ts';
import type { ExternalFiles } from '../../../../lib/repository/external-files.ts';
import { pageKey } from '../../../../lib/repository/page-key.ts';
import { planImport, type RepositoryPlan } from '../../../../lib/repository/plan.ts';
import type { PlannedPage } from '../../../../lib/repository/planned-page.ts';
import { type Outcome, type ReportEntry, warning } from '../../../../lib/repository/report.ts';
import { VARIABLES_FILE } from '../../../../lib/repository/variables.ts';
import { patchMapping } from '../../../../lib/repository/write/patch-mapping.ts';
import type { KnownIds } from '../../../content/imports/index.ts';
import type { RemoteFile } from '../transport/remote.ts';
import { composeContent, composePage, type Written } from './compose-page.ts';
import { composeSummary } from './compose-summary.ts';
import { BodyReader } from './content-file.ts';
import { type Layout, targetLayout, writtenLayout } from './layout.ts';
import type { Target, TargetPage } from './target.ts';

export interface ComposeInput {
  /** Folder with the files of the branch, named by their object IDs, and with the bodies of the target. */
  folder: string;
  files: RemoteFile[];
  /** Ids that the branch is known by. Null if it was never synchronized: what has the path that it would get is taken for the same. */
  ids: KnownIds | null;
  target: Target;
  external?: ExternalFiles;
}

/** A file that has to change. `fileId` names a file of the space, whose bytes the receiver has. */
export interface ComposedChange {
  path: string;
  place: string | null;
  fileId?: string;
}

/** What a path of the branch is in the space. */
export interface PathEntry {
  path: string;
  kind: 'page' | 'file' | 'content';
  id: string;
}

export interface Composed {
  changes: ComposedChange[];
  entries: PathEntry[];
  /** The first entries, and numbers of the others. */
  report: ReportEntry[];
  more: Readonly<Record<Outcome, number>>;
}

/**
 * Runs in a thread. Finds the changes that make the files of a branch mean the target. Each file is a patch of the file as it
 * stands in the branch, so that a branch that means the target already has no changes.
 */
export async function work(input: ComposeInput, post: (beat: true) => void): Promise<Composed> {
  const bodies = new BodyReader(input.folder);
  try {
    return await new Composer(input, bodies, post).compose();
  } finally {
    bodies.close();
  }
}

/** The pages of a plan by the ids that they have in the space. */
export function pagesOfPlan(
  plan: RepositoryPlan,
  ids: KnownIds,
): Map<string, { page: PlannedPage; parentId: string | null }> {
  const pages = new Map<string, { page: PlannedPage; parentId: string | null }>();
  const visit = (page: PlannedPage, parentId: string | null, place: string) => {
    const known = ids.pages.get(pageKey(page, parentId));
    // Pages that the space does not have are told apart by their place.
    const id = known === undefined || pages.has(known) ? `new ${place}` : known;
    pages.set(id, { page, parentId });
    for (const [index, child] of page.children.entries()) visit(child, id, `${place}.${index}`);
  };
  for (const [index, page] of plan.pages.entries()) visit(page, null, String(index));
  return pages;
}

class Composer {
  readonly #input: ComposeInput;
  readonly #bodies: BodyReader;
  readonly #post: (beat: true) => void;
  readonly #oids: ReadonlyMap<string, string>;
  /** New texts by path; null for files to delete. */
  readonly #texts = new Map<string, string | null>();
  readonly #assets = new Map<string, string>();
  readonly #report = new BoundedReport();

  constructor(input: ComposeInput, bodies: BodyReader, post: (beat: true) => void) {
    this.#input = input;
    this.#bodies = bodies;
    this.#post = post;
    this.#oids = new Map(input.files.map(({ path, oid }) => [path, oid]));
  }

  async compose(): Promise<Composed> {
    const { files, target, external } = this.#input;
    const plan = await planImport(files, this.#read);
    const ids = this.#input.ids ?? adopted(plan, target);
    const pages = pagesOfPlan(plan, ids);
    const noFile = withoutFile(target, pages);
    const written = writtenLayout(plan, ids, filesOfPages(pages), external);
    const wanted = targetLayout(plan, written, target, noFile, external);
    const summary = composeSummary({ plan, pages, target, layout: wanted, read: await this.#summaryText(plan) });
    if (summary.text !== undefined) this.#texts.set(plan.configuration.summary, summary.text);
    this.#composePages({ plan, pages, written, wanted, titles: summary.titles });
    this.#composeContents(written, wanted);
    this.#composeFiles(written, wanted);
    this.#composeVariables(plan);
    this.#deleteOld(written, wanted);
    return {
      changes: this.#changes(),
      entries: await this.#entries(wanted),
      report: this.#report.entries,
      more: this.#report.more,
    };
  }

  #read = async (path: string): Promise<string> => {
    this.#post(true);
    const text = this.#texts.get(path);
    if (text !== undefined) return text ?? '';
    return (await readFile(join(this.#input.folder, this.#oids.get(path) ?? ''))).toString('utf8');
  };

  async #summaryText({ configuration, known }: RepositoryPlan): Promise<string | undefined> {
    return known.files.has(configuration.summary) ? this.#read(configuration.summary) : undefined;
  }

  #textAt(path: string): string | undefined {
    const oid = this.#oids.get(path);
    return oid === undefined ? undefined : readFileSync(join(this.#input.folder, oid)).toString('utf8');
  }

  #composePages({ pages, ...of }: Omit<Written, 'page' | 'text'> & { pages: ReturnType<typeof pagesOfPlan> }): void {
    const isMoved = hasMoved(of.written, of.wanted);
    for (const page of this.#input.target.pages) {
      this.#post(true);
      const path = of.wanted.pages.get(page.pageId);
      if (path === undefined) {
        if (page.kind === 'computed') this.#report.push(warning(page.title, 'The computed page was not exported.'));
        continue;
      }
      const before = of.written.pages.get(page.pageId);
      if (page.isSame && before === path && !isMoved) continue;
      const text = before === undefined ? undefined : this.#textAt(before);
      const body = page.body && this.#bodies.read(page.body);
      const composed = composePage(page, body, path, { ...of, page: pages.get(page.pageId)?.page, text, before });
      if (composed !== text || before !== path) this.#texts.set(path, composed);
      if (typeof page.fields.emoji === 'string') {
        this.#report.push({
          ...warning(path, 'The emoji of the page was not exported: front matter has none.'),
          severity: 'info',
        });
      }
    }
  }

  #composeContents(written: Layout, wanted: Layout): void {
    const isMoved = hasMoved(written, wanted);
    for (const content of this.#input.target.contents) {
      const [before, path] = [written.contents.get(content.id), wanted.contents.get(content.id)];
      if (path === undefined || (content.isSame && before === path && !isMoved)) continue;
      const text = before === undefined ? undefined : this.#textAt(before);
      const body = content.body && this.#bodies.read(content.body);
      const composed = composeContent(content, body, path, { written, wanted, text, before });
      if (composed !== text || before !== path) this.#texts.set(path, composed);
    }
  }

  /** Files whose bytes differ are written by the receiver. */
  #composeFiles(written: Layout, wanted: Layout): void {
    for (const { id, blob } of this.#input.target.files) {
      const path = wanted.files.get(id);
      const oid = path === written.files.get(id) ? this.#oids.get(path ?? '') : undefined;
      const present = oid === undefined ? undefined : readFileSync(join(this.#input.folder, oid));
      const isSame = present !== undefined && createHash('sha256').update(present).digest('hex') === blob;
      if (path !== undefined && !isSame) this.#assets.set(path, id);
    }
  }

  #composeVariables({ configuration: { root }, variables: before }: RepositoryPlan): void {
    const { variables: after } = this.#input.target;
    if (canonicalJson(before) === canonicalJson(after)) return;
    const own = root === '' ? VARIABLES_FILE : `${root}/${VARIABLES_FILE}`;
    const path = [own, VARIABLES_FILE].find((each) => this.#oids.has(each)) ?? own;
    const changes = new Map<string, unknown>();
    for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) changes.set(name, undefined);
    for (const [name, value] of Object.entries(after)) if (before[name] !== value) changes.set(name, value);
    this.#texts.set(path, patchMapping(this.#textAt(path) ?? '', changes));
  }

  /** Files of what the target no longer has, or has at another path. Files that the space never had stay. */
  #deleteOld(written: Layout, wanted: Layout): void {
    for (const kind of ['pages', 'files', 'contents'] as const) {
      const kept = new Set(wanted[kind].values());
      for (const [id, path] of written[kind]) {
        if (id.startsWith('new ') || kept.has(path) || this.#texts.has(path) || this.#assets.has(path)) continue;
        this.#texts.set(path, null);
      }
    }
  }

  #changes(): ComposedChange[] {
    const changes: ComposedChange[] = [];
    for (const [path, text] of this.#texts) {
      if (text === null) changes.push({ path, place: null });
      else if (text !== this.#textAt(path)) {
        const place = join(this.#input.folder, `new-${changes.length}`);
        writeFileSync(place, text);
        changes.push({ path, place });
      }
    }
    for (const [path, fileId] of this.#assets) changes.push({ path, place: null, fileId });
    return changes;
  }

  /** What the paths mean after the changes. Pages without a file are found where the changed branch has them. */
  async #entries(wanted: Layout): Promise<PathEntry[]> {
    const entries: PathEntry[] = [];
    for (const [id, path] of wanted.pages) entries.push({ path, kind: 'page', id });
    for (const [id, path] of wanted.files) entries.push({ path, kind: 'file', id });
    for (const [id, path] of wanted.contents) entries.push({ path, kind: 'content', id });
    const paths = new Set([...this.#oids.keys(), ...this.#assets.keys(), ...this.#texts.keys()]);
    for (const [path, text] of this.#texts) if (text === null) paths.delete(path);
    const plan = await planImport(
      [...paths].map((path) => ({ path, size: 0 })),
      this.#read,
    );
    const byFile = new Map([...wanted.pages].map(([id, path]) => [path, id]));
    const children = Map.groupBy(this.#input.target.pages, ({ parentId }) => parentId);
    const visit = (planned: readonly PlannedPage[], parentId: string | null): void => {
      const rest = (children.get(parentId) ?? []).filter(({ pageId }) => !wanted.pages.has(pageId));
      for (const page of planned) {
        const at = page.file === null ? rest.findIndex((other) => isAlike(page, other)) : -1;
        const id = page.file === null ? rest.splice(at, at < 0 ? 0 : 1)[0]?.pageId : byFile.get(page.file);
        if (id === undefined) continue;
        if (page.file === null) entries.push({ path: pageKey(page, parentId), kind: 'page', id });
        visit(page.children, id);
      }
    };
    visit(plan.pages, null);
    return [...new Map(entries.map((entry) => [entry.path, entry])).values()];
  }
}

/** Ids by the paths that the parts of a target would get in an empty branch. */
function adopted(plan: RepositoryPlan, target: Target): KnownIds {
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

const isAlike = ({ kind, title, linkTitle }: PlannedPage, other: TargetPage) =>
  kind === other.kind && (linkTitle ?? title) === (other.linkTitle ?? other.title);

const filesOfPages = (pages: ReturnType<typeof pagesOfPlan>): Map<string, string> =>
  new Map([...pages].flatMap(([id, { page }]) => (page.file === null ? [] : [[id, page.file] as const])));

/** Documents that the branch has without a file keep being entries of the table of contents while they are empty. */
function withoutFile({ pages: targets }: Target, pages: ReturnType<typeof pagesOfPlan>): Set<string> {
  const isBare = ({ pageId, body, fields }: TargetPage) =>
    body === undefined && fields.description === undefined && pages.get(pageId)?.page.file === null;
  return new Set(targets.filter(isBare).map(({ pageId }) => pageId));
}

/** Whether something has another path than before, so that links to it may have to change. */
function hasMoved(written: Layout, wanted: Layout): boolean {
  const kinds = ['pages', 'files', 'contents'] as const;
  return kinds.some((kind) =>
    [...written[kind]].some(([id, path]) => wanted[kind].has(id) && wanted[kind].get(id) !== path),
  );
}
