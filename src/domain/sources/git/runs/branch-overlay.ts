import { BoundedReport } from '../../../../lib/repository/bounded-report.ts';
import { type Restrictions, restrictionEntry } from '../../../../lib/repository/page-settings.ts';
import { keptAsWritten } from '../../../../lib/repository/report.ts';
import type { SpaceTag } from '../../../../lib/repository/tags.ts';
import { makeYielder } from '../../../../lib/tick.ts';
import type { LoadedPage } from '../../../../lib/tree/rows.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { blobFacts } from '../../../content/files/index.ts';
import {
  type ImportedBody,
  importedFields,
  inMemory,
  type ReadPage,
  type Snapshot,
  type SnapshotPage,
  type StoredRepository,
} from '../../../content/import-engine/index.ts';
import { loadDocument, writeBody } from '../../../store/bodies/index.ts';
import {
  type FileRow,
  type ReusableContentRow,
  readFiles,
  readReusableContents,
  tagsOf,
  type VariableEntry,
  variablesOf,
} from '../../../store/manifests/index.ts';
import { prepareSource } from '../../../store/prepared-bodies/index.ts';
import type { RevisionRow } from '../../../store/revisions/index.ts';
import { loadVisibleTree } from '../../../store/trees/index.ts';
import { addComputedPages } from './add-computed-pages.ts';

/** Content of the branch that has not changed since the last synchronization. */
export interface BranchState {
  /** Paths of files with the bytes that they had. */
  same: ReadonlySet<string>;
  /** Paths that were there, whatever their bytes. */
  present: ReadonlySet<string>;
}

/**
 * Content of the branch at the last synchronization, by id. Before the first one, it has variables and tags of the
 * space.
 */
export interface Former {
  pages: ReadonlyMap<string, LoadedPage>;
  files: ReadonlyMap<string, FileRow>;
  contents: ReadonlyMap<string, ReusableContentRow>;
  variables: Readonly<Record<string, VariableEntry['value']>>;
  tags: SpaceTag[];
}

/**
 * The content of `before`. Without it, before the first synchronization, only the variables and tags of `head`, the
 * content of the space.
 */
export async function formerContent(ctx: Context, before: RevisionRow | undefined, head: RevisionRow): Promise<Former> {
  if (!before) {
    const [variables, tags] = [await variablesOf(ctx, head), await tagsOf(ctx, head)];
    return { pages: new Map(), files: new Map(), contents: new Map(), variables, tags };
  }
  const pages = await loadVisibleTree(ctx, before);
  const [files, contents] = [await readFiles(ctx, before), await readReusableContents(ctx, before)];
  return {
    pages: new Map(pages.map((page) => [page.pageId, page])),
    files: new Map(files.map((file) => [file.id, file])),
    contents: new Map(contents.map((content) => [content.id, content])),
    variables: await variablesOf(ctx, before),
    tags: await tagsOf(ctx, before),
  };
}

/** Fields that files of pages do not have, by kind. Links and groups are only entries of the table of contents. */
const NOT_IN_FILES = {
  document: ['emoji', 'metaLinks', 'computed', 'computedSeed'],
  group: ['emoji', 'icon', 'condition', 'hidden', 'noIndex', 'noRobotsIndex'],
  link: ['emoji', 'icon', 'condition', 'hidden'],
};

/**
 * Reads the files of a branch over its former content: unchanged files, values that files cannot express, and values in
 * files that cannot be read stay as they were.
 */
export class BranchOverlay {
  readonly #ctx: Context;
  readonly #organizationId: string;
  readonly #former: Former;
  readonly #state: BranchState;
  readonly #bodies: ImportedBody[] = [];
  /** What becomes of pages whose front matter cannot be read. */
  readonly report = new BoundedReport();

  constructor(ctx: Context, organizationId: string, former: Former, state: BranchState) {
    this.#ctx = ctx;
    this.#organizationId = organizationId;
    this.#former = former;
    this.#state = state;
  }

  async apply({
    pages,
    stored,
    contents,
    variables = this.#former.variables,
    tags = this.#former.tags,
  }: StoredRepository): Promise<Snapshot> {
    const pause = makeYielder();
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
    for (const { id, path, title, body, isTooLarge, isTitleUnread } of contents) {
      const former = this.#former.contents.get(id);
      const isSame = former !== undefined && (this.#state.same.has(path) || isTooLarge);
      const hashes = isSame ? hashesOf(former) : await this.#body(body, former?.documentHash);
      const isTitleKept = former !== undefined && (isSame || isTitleUnread);
      all.push({ id, title: isTitleKept ? former.title : title, ...defined(hashes) });
    }
    return {
      pages: addComputedPages(snapshotPages, this.#former.pages),
      bodies: this.#bodies,
      files,
      blobs: stored.map(({ blob }) => blob),
      contents: all,
      variables: Object.entries(variables).map(([id, value]) => ({ id, value })),
      tags,
      createdAt: new Map([...this.#former.pages].map(([id, { node }]) => [id, node.createdAt])),
    };
  }

  async #page(page: ReadPage): Promise<SnapshotPage> {
    const { pageId, parentId, plan, key, body } = page;
    const former = this.#former.pages.get(pageId)?.node;
    if (former?.kind === 'link' && plan.kind === 'document' && plan.file === null) {
      // The entry of a link stays in the table of contents when its target is deleted, where it names a missing file.
      const { title, linkTitle } = plan;
      return { pageId, parentId, kind: 'link', fields: { ...former.fields, title, linkTitle }, ...hashesOf({}) };
    }
    const base = former?.kind === plan.kind ? former : undefined;
    const isSame = base !== undefined && this.#state.same.has(key);
    const read = importedFields(page);
    if (base && plan.tooLarge === 'file') {
      return { pageId, parentId, kind: plan.kind, fields: { ...base.fields }, ...hashesOf(base) };
    }
    const isKept = base !== undefined && (isSame || plan.isUnread === true);
    const fields = { ...(isKept ? fieldsOver(base, page, isSame) : read), ...this.#keptFields(base, key) };
    if (plan.isUnread) this.#reportUnread(key, base, fields);
    const unread = base && (isSame || plan.tooLarge) ? hashesOf(base) : undefined;
    const hashes = unread ?? (await this.#body(body, base?.documentHash));
    return {
      pageId,
      parentId,
      kind: plan.kind,
      fields,
      documentHash: hashes.documentHash,
      sourceHash: hashes.sourceHash,
    };
  }

  #reportUnread(file: string, base: LoadedPage['node'] | undefined, fields: Record<string, unknown>): void {
    const entry = restrictionEntry(file, (base?.fields ?? {}) as Restrictions, fields as Restrictions); // fields of a page
    if (entry) this.report.push(entry);
    else if (base) this.report.push(keptAsWritten(file, 'The page keeps the settings that it had.'));
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
  async #body(body: ImportedBody | undefined, former: string | undefined) {
    if (!body) return { documentHash: undefined, sourceHash: undefined };
    const aligned = former === undefined || former === body.hash ? body : await this.#aligned(body, former);
    this.#bodies.push(aligned);
    return { documentHash: aligned.hash, sourceHash: aligned.sourceHash };
  }

  async #aligned(read: ImportedBody, former: string): Promise<ImportedBody> {
    const { body, source } = await read.unpack();
    const { body: previous } = await loadDocument(this.#ctx, this.#organizationId, former);
    const input = { body, isMarkdown: true, isEmpty: false };
    const aligned = await writeBody(this.#ctx, this.#organizationId, previous, input);
    const preparedSource = source && prepareSource({ ...source, document: aligned.hash });
    return inMemory({ document: aligned, source: preparedSource });
  }
}

/** The fields of a page whose file has not changed or has front matter that cannot be read. */
function fieldsOver(base: LoadedPage['node'], page: ReadPage, isSame: boolean): Record<string, unknown> {
  const { title, linkTitle } = importedFields(page);
  // Titles can come from the table of contents, which may have changed without the file.
  const titles = page.plan.isTitleUnread ? {} : { title, linkTitle };
  return { ...base.fields, ...(isSame ? {} : restrictionsOver(base, page)), ...titles };
}

/** What the front matter may restrict now is restricted. A condition stays only if the file still has the same one. */
function restrictionsOver({ fields }: LoadedPage['node'], { plan }: ReadPage): Restrictions {
  const { condition, conditionText, hidden, noIndex, noRobotsIndex } = plan;
  const former = (fields as Restrictions).condition; // fields of a page
  const isOther = condition !== undefined && (conditionText === undefined || conditionText !== former);
  return {
    ...(isOther && { condition }),
    ...(hidden && { hidden }),
    ...(noIndex && { noIndex }),
    ...(noRobotsIndex && { noRobotsIndex }),
  };
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
