import { join } from 'node:path';
import { makePause } from '../../../../lib/pause.ts';
import type { LoadedPage } from '../../../../lib/tree/rows.ts';
import type { Context } from '../../../../platform/context.ts';
import { blobFacts } from '../../../content/files/index.ts';
import {
  fieldsOf,
  gatherFolder,
  inMemory,
  type ReadBody,
  type ReadPage,
  reportOf,
  type Snapshot,
  type SnapshotPage,
  type StoredRepository,
} from '../../../content/imports/index.ts';
import { loadDocument, prepareSource, writeBody } from '../../../store/bodies/index.ts';
import {
  type FileEntry,
  type FileRow,
  type ReusableContentEntry,
  type ReusableContentRow,
  readFiles,
  readReusableContents,
} from '../../../store/manifests/index.ts';
import type { RevisionRow } from '../../../store/revisions/index.ts';
import { type FormerPath, loadTree } from '../../../store/trees/index.ts';
import type { GitRunRow } from '../access.ts';
import { LEFT_OUT, type PathEntry } from '../compose/path-entries.ts';
import type { Fetched } from '../transport/fetch-work.ts';
import type { KnownPaths } from './known-paths.ts';
import type { GitWatch } from './watch-git-run.ts';

/** Limits of one import. */
const LIMITS = { pages: 10_000, bytes: Number.POSITIVE_INFINITY, timeMs: Number.POSITIVE_INFINITY };

/** A branch as content of a space. */
export interface ReadBranch {
  snapshot: Snapshot;
  entries: PathEntry[];
  /** The redirects of `.gitbook.yaml`. */
  redirects: FormerPath[];
}

/**
 * Reads the files of a branch as the content of a space. Parts that the branch had before keep their ids, and what the
 * files of a page cannot express stays as it is in `before`, the content that the branch had when it was last synchronized.
 */
export async function readBranch(
  ctx: Context,
  run: GitRunRow,
  {
    fetched,
    folder,
    known,
    before,
    watch,
  }: {
    fetched: Fetched;
    folder: string;
    known: KnownPaths;
    before: RevisionRow | undefined;
    watch: GitWatch;
  },
): Promise<ReadBranch> {
  const files = fetched.files.map(({ path, oid, size }) => ({ path, size, place: { container: join(folder, oid) } }));
  const of = { ctx, organizationId: run.organizationId };
  const external = run.treeUrl === null ? {} : { external: { url: run.treeUrl, directory: run.projectDirectory } };
  const repository = await gatherFolder(
    of,
    folder,
    { files, ids: known.ids, report: [], ...external },
    {
      limits: LIMITS,
      overLimit() {},
      signal: watch.signal,
      progress: ({ read }) => watch.progress({ pagesRead: read }),
    },
  );
  watch.note(reportOf(repository).report, repository.unlisted);
  const former = await formerContent(ctx, before);
  const overlay = new Overlay(ctx, run.organizationId, former, stateOf(fetched, known));
  const snapshot = await overlay.apply(repository);
  const kept = leftOut(known, former, snapshot);
  return {
    snapshot: {
      ...snapshot,
      files: [...snapshot.files, ...kept],
      contents: [...snapshot.contents, ...computedIn(former)],
    },
    redirects: repository.redirects,
    entries: [
      ...entriesOf(repository),
      ...kept.map(({ id }) => ({ path: `${LEFT_OUT}${id}`, kind: 'file' as const, id })),
    ],
  };
}

/** Computed reusable contents, which no branch has. */
const computedIn = ({ contents }: Former): ReusableContentEntry[] =>
  [...contents.values()].flatMap(({ id, title, computed }) => (computed ? [{ id, title, computed }] : []));

/** Files that the branch does not have because they could not be exported, so that nobody deleted them from it. */
function leftOut({ ids }: KnownPaths, { files }: Former, snapshot: Snapshot): FileEntry[] {
  const present = new Set(snapshot.files.map(({ id }) => id));
  return [...ids.files].flatMap(([path, id]) => {
    const file = path.startsWith(LEFT_OUT) && !present.has(id) ? files.get(id) : undefined;
    return file ? [entryOf(file)] : [];
  });
}

const entryOf = ({ id, name, contentType, size, width, height, blob }: FileRow): FileEntry => ({
  id,
  name,
  contentType,
  size,
  ...(width === undefined || height === undefined ? {} : { width, height }),
  blob,
});

/** What is as it was when the branch was last synchronized. */
interface BranchState {
  /** Paths of files with the bytes that they had. */
  same: ReadonlySet<string>;
  /** Paths that were there, whatever their bytes. */
  present: ReadonlySet<string>;
  isSameStructure: boolean;
}

function stateOf({ files }: Fetched, { oids }: KnownPaths): BranchState {
  const isSame = ({ path, oid }: { path: string; oid: string }) => oids.get(path) === oid;
  const structural = files.filter(({ path }) => /(?:^|\/)summary\.md$|^\.gitbook\.yaml$/i.test(path));
  return {
    same: new Set(files.filter(isSame).map(({ path }) => path)),
    present: new Set(oids.keys()),
    isSameStructure: structural.length > 0 && structural.every(isSame),
  };
}

function entriesOf({ pages, files, contents }: StoredRepository): PathEntry[] {
  const entries: PathEntry[] = [
    ...pages.map(({ key, pageId }) => ({ path: key, kind: 'page' as const, id: pageId })),
    ...files.map(({ path, fileId }) => ({ path, kind: 'file' as const, id: fileId })),
    ...contents.map(({ path, id }) => ({ path, kind: 'content' as const, id })),
  ];
  return [...new Map(entries.map((entry) => [entry.path, entry])).values()];
}

interface Former {
  pages: ReadonlyMap<string, LoadedPage>;
  files: ReadonlyMap<string, FileRow>;
  contents: ReadonlyMap<string, ReusableContentRow>;
}

async function formerContent(ctx: Context, before: RevisionRow | undefined): Promise<Former> {
  if (!before) return { pages: new Map(), files: new Map(), contents: new Map() };
  const pages = await loadTree(ctx, before);
  const [files, contents] = [await readFiles(ctx, before), await readReusableContents(ctx, before)];
  return {
    pages: new Map(pages.map((page) => [page.pageId, page])),
    files: new Map(files.map((file) => [file.id, file])),
    contents: new Map(contents.map((content) => [content.id, content])),
  };
}

/** Fields that files of pages do not have, by kind. Links and groups are entries of the table of contents alone. */
const NOT_IN_FILES = {
  document: ['emoji', 'metaLinks', 'computed', 'computedSeed'],
  group: ['emoji', 'icon', 'condition', 'hidden', 'noIndex', 'noRobotsIndex'],
  link: ['emoji', 'icon', 'condition', 'hidden'],
};

class Overlay {
  readonly #ctx: Context;
  readonly #organizationId: string;
  readonly #former: Former;
  readonly #state: BranchState;
  readonly #bodies: ReadBody[] = [];

  constructor(ctx: Context, organizationId: string, former: Former, state: BranchState) {
    this.#ctx = ctx;
    this.#organizationId = organizationId;
    this.#former = former;
    this.#state = state;
  }

  async apply({ pages, stored, contents, variables }: StoredRepository): Promise<Snapshot> {
    const pause = makePause();
    const snapshotPages: SnapshotPage[] = [];
    for (const page of pages) {
      await pause();
      snapshotPages.push(await this.#page(page));
    }
    const files = stored.map(({ blob, fileId, name }) => {
      const former = this.#former.files.get(fileId)?.name ?? name;
      return { id: fileId, name: former, ...blobFacts(blob, former) };
    });
    const all = [];
    for (const { id, path, title, body } of contents) {
      const former = this.#former.contents.get(id);
      const isSame = former !== undefined && this.#state.same.has(path);
      const hashes = isSame ? hashesOf(former) : await this.#body(body, former?.documentHash);
      all.push({ id, title: isSame ? former.title : title, ...defined(hashes) });
    }
    return {
      pages: snapshotPages,
      bodies: this.#bodies,
      files,
      blobs: stored.map(({ blob }) => blob),
      contents: all,
      variables: Object.entries(variables).map(([id, value]) => ({ id, value })),
      createdAt: new Map([...this.#former.pages].map(([id, { node }]) => [id, node.createdAt])),
    };
  }

  async #page(page: ReadPage): Promise<SnapshotPage> {
    const { pageId, parentId, plan, key, body } = page;
    const former = this.#former.pages.get(pageId)?.node;
    const kept = former?.kind === plan.kind ? former : undefined;
    const isSame = kept !== undefined && this.#state.same.has(key);
    const read = fieldsOf(page);
    const titles = this.#state.isSameStructure ? {} : { title: read.title, linkTitle: read.linkTitle };
    const fields = { ...(isSame ? { ...kept.fields, ...titles } : read), ...this.#keptFields(kept, key) };
    const hashes = isSame ? hashesOf(kept) : await this.#body(body, kept?.documentHash);
    return {
      pageId,
      parentId,
      kind: plan.kind,
      fields,
      documentHash: hashes.documentHash,
      sourceHash: hashes.sourceHash,
    };
  }

  /** A page that is still at its path keeps its slug, which may have been chosen. */
  #keptFields(former: LoadedPage['node'] | undefined, key: string): Record<string, unknown> {
    if (!former || former.kind === 'computed') return {};
    const fields = former.fields as unknown as Record<string, unknown>; // the fields of any kind
    const slug = this.#state.present.has(key) || key.startsWith('//') ? ['slug'] : [];
    const names = [...NOT_IN_FILES[former.kind], ...slug].filter((name) => fields[name] !== undefined);
    return Object.fromEntries(names.map((name) => [name, fields[name]]));
  }

  /** A changed body takes over the keys of blocks that it had, so that it can be merged with edits of the space. */
  async #body(body: ReadBody | undefined, former: string | undefined) {
    if (!body) return { documentHash: undefined, sourceHash: undefined };
    const aligned = former === undefined || former === body.hash ? body : await this.#aligned(body, former);
    this.#bodies.push(aligned);
    return { documentHash: aligned.hash, sourceHash: aligned.sourceHash };
  }

  async #aligned(read: ReadBody, former: string): Promise<ReadBody> {
    const { document, source } = await read.unpack();
    const { body: previous } = await loadDocument(this.#ctx, this.#organizationId, former);
    const written = { body: document.body, isMarkdown: true, isEmpty: false };
    const aligned = await writeBody(this.#ctx, this.#organizationId, previous, written);
    const own = source && prepareSource({ ...source, document: aligned.hash });
    return inMemory({ document: aligned, source: own });
  }
}

const hashesOf = ({ documentHash, sourceHash }: { documentHash?: string; sourceHash?: string }) => ({
  documentHash,
  sourceHash,
});

const defined = ({
  documentHash,
  sourceHash,
}: {
  documentHash: string | undefined;
  sourceHash: string | undefined;
}) => ({
  ...(documentHash && { documentHash }),
  ...(documentHash && sourceHash && { sourceHash }),
});
