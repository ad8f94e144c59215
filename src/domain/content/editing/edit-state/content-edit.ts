import type { JSONDocument } from '../../../../lib/document/document.ts';
import { openTree, type TreeEditor } from '../../../../lib/tree/edit.ts';
import { ManifestDraft } from '../../../../lib/tree/manifest-draft.ts';
import type { NewManifestNode } from '../../../../lib/tree/manifest-edit.ts';
import type { NewNode } from '../../../../lib/tree/node.ts';
import { exceptNew, type PathLookup } from '../../../../lib/tree/paths.ts';
import type { LoadedPage } from '../../../../lib/tree/rows.ts';
import type { NodeSource } from '../../../../lib/tree/source.ts';
import { userIdOf } from '../../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { badInput } from '../../../../platform/errors/errors.ts';
import { loadDocument, writeBody } from '../../../store/bodies/index.ts';
import type { FileEntry, ReusableContentEntry, VariableEntry } from '../../../store/manifests/index.ts';
import { manifestSource, tooMany } from '../../../store/manifests/index.ts';
import type { PreparedDocument, PreparedSource, ValidatedBody } from '../../../store/prepared-bodies/index.ts';
import { type RevisionRow, toHex } from '../../../store/revisions/index.ts';
import { findVisiblePage, loadVisibleSubtrees } from '../../../store/trees/index.ts';
import { blobFacts, type DescribedBlob, renamedFile } from '../../files/index.ts';
import { type PageText, readPageText } from '../../page-texts/index.ts';
import { revisionFor } from '../../revisions/index.ts';
import type { ChangePath } from './change-path.ts';
import { CharacterCount } from './character-count.ts';
import type { Refs } from './refs.ts';
import type { RevertedPages } from './reverted-pages.ts';
import { sourceFor } from './source-for.ts';

/** The starting point of an edit. */
export interface EditBase {
  revision: RevisionRow;
  source: NodeSource;
  /** Finds pages without reading the whole tree. */
  lookup?: PathLookup | undefined;
  /** The default revision to revert pages to: the initial revision of a change request. */
  initialRevisionId?: string | undefined;
}

/** The result of changes, to be stored. Hashes are hex; null for an empty manifest. */
export interface EditedContent {
  rootHash: string;
  filesHash: string | null;
  reusableContentsHash: string | null;
  variablesHash: string | null;
  tagsHash: string | null;
  newNodes: NewNode[];
  newManifestNodes: NewManifestNode<{ id: string }>[];
  documents: PreparedDocument[];
  sources: PreparedSource[];
  blobs: DescribedBlob[];
}

/** Pages of an earlier revision with everything below them. Those at the top level have the parent null. */
export interface EarlierPages {
  byId: ReadonlyMap<string, LoadedPage>;
  byParent: ReadonlyMap<string | null, readonly LoadedPage[]>;
}

/** Hashes of a body and of the Markdown it is written as. Undefined keeps the one that there is; null removes it. */
interface WrittenBody {
  documentHash: string | null;
  sourceHash: string | null | undefined;
}

/** The content of a revision while changes are applied to it in memory. */
export class ContentEdit {
  readonly ctx: Context;
  readonly refs: Refs;
  readonly tree: TreeEditor;
  readonly files: ManifestDraft<FileEntry>;
  readonly reusableContents: ManifestDraft<ReusableContentEntry>;
  readonly variables: ManifestDraft<VariableEntry>;
  readonly #base: EditBase;
  readonly #documents = new Map<string, PreparedDocument>();
  readonly #sources = new Map<string, PreparedSource>();
  readonly #blobs: DescribedBlob[] = [];
  /**
   * What was read of the latest revision that pages were reverted to. Only one is kept, since a subtree can be large.
   */
  #earlier: { named: string | undefined; pages: EarlierPages } | undefined;
  readonly #versionsBefore = new Map<string, string>();
  /** Counts the texts that partial edits make. */
  readonly editedTexts = new CharacterCount();

  private constructor(ctx: Context, base: EditBase, tree: TreeEditor, refs: Refs) {
    const { revision } = base;
    const draft = <Entry extends { id: string }>(hash: Uint8Array | null) =>
      new ManifestDraft<Entry>(hash && toHex(hash), manifestSource<Entry>(ctx.db, revision.organizationId));
    this.ctx = ctx;
    this.#base = base;
    this.tree = tree;
    this.refs = refs;
    this.files = draft(revision.filesHash);
    this.reusableContents = draft(revision.reusableContentsHash);
    this.variables = draft(revision.variablesHash);
  }

  static async open(ctx: Context, base: EditBase, refs: Refs): Promise<ContentEdit> {
    const lookup = base.lookup && exceptNew(base.lookup, refs.created);
    return new ContentEdit(ctx, base, await openTree(toHex(base.revision.rootHash), base.source, lookup), refs);
  }

  /** Adds a body and returns its hash; null for an empty body. Keys of blocks in `previous` are kept. */
  async write(previous: JSONDocument | undefined, read: ValidatedBody): Promise<string | null> {
    if (read.isEmpty) return null;
    const { organizationId } = this.#base.revision;
    const resolved = { ...read, body: this.refs.inBody(read.body) };
    const document = await writeBody(this.ctx, organizationId, previous, resolved);
    this.#documents.set(document.hash, document);
    return document.hash;
  }

  /** Adds the body of a page, and the Markdown it is written as. An undefined hash stays; null removes it. */
  async writePage(pageId: string | undefined, read: ValidatedBody): Promise<WrittenBody> {
    const page = pageId === undefined ? undefined : (await this.tree.locate([pageId])).get(pageId);
    return this.writeText(page, read);
  }

  /**
   * Adds a body in place of another one, and the Markdown it is written as. `pageId` is the page of the body, if any.
   */
  async writeText(
    before: { documentHash?: string; sourceHash?: string; pageId?: string } | undefined,
    read: ValidatedBody,
  ): Promise<WrittenBody> {
    const previous = read.isMarkdown ? await this.bodyAt(before?.documentHash) : undefined;
    const documentHash = await this.write(previous, read);
    if (!read.source || documentHash === null) return { documentHash, sourceHash: undefined };
    const { revision } = this.#base;
    const printed = this.#documents.get(documentHash)?.markdown ?? '';
    const links = { ...read.source.links, ...this.refs.linksIn(read.body) };
    const text = { source: { ...read.source, links }, documentHash, printed };
    const prepared = await sourceFor(this.ctx, { revision, before, newSources: this.#sources }, text);
    if (prepared) this.#sources.set(prepared.hash, prepared);
    return { documentHash, sourceHash: prepared === null ? null : prepared?.hash };
  }

  get revision(): RevisionRow {
    return this.#base.revision;
  }

  /**
   * The present body of a page with its text. `createdAt` is the path of a page that this edit inserts. Throws
   * BAD_USER_INPUT for pages that cannot have a body.
   */
  async textOfPage(pageId: string, path: ChangePath, createdAt?: string): Promise<PageText> {
    const page = (await this.tree.locate([pageId])).get(pageId);
    if (!page) throw badInput([...path, 'pageId'], `is not a page of this content: "${pageId}".`, 'NOT_FOUND');
    if (page.kind !== 'document' || page.fields.computed) {
      throw badInput([...path, 'pageId'], `is not a page with a body of its own: "${pageId}".`);
    }
    const { documentHash, sourceHash } = page;
    const named = { pageId, documentHash, sourceHash, path: createdAt };
    return readPageText(this.ctx, this.revision, named, { documents: this.#documents, sources: this.#sources });
  }

  /** Version of the text of a page before this edit. Undefined for pages that it inserts. */
  async versionBefore(pageId: string): Promise<string | undefined> {
    const cached = this.#versionsBefore.get(pageId);
    if (cached !== undefined) return cached;
    const page = await findVisiblePage(this.ctx, this.revision, { pageId });
    if (page?.node.kind !== 'document') return undefined;
    const { documentHash, node } = page;
    const { version } = await readPageText(this.ctx, this.revision, {
      pageId,
      documentHash,
      sourceHash: node.sourceHash,
    });
    this.#versionsBefore.set(pageId, version);
    return version;
  }

  /** The present body of a page. */
  async bodyOfPage(pageId: string): Promise<JSONDocument | undefined> {
    return this.bodyAt((await this.tree.locate([pageId])).get(pageId)?.documentHash);
  }

  /** A body by its hash, stored or written by this edit. */
  async bodyAt(hash: string | undefined): Promise<JSONDocument | undefined> {
    if (hash === undefined) return undefined;
    const { organizationId } = this.#base.revision;
    return this.#documents.get(hash)?.body ?? (await loadDocument(this.ctx, organizationId, hash)).body;
  }

  /** Adds a file, or replaces the file with this id. */
  putFile(id: string, name: string, blob: DescribedBlob): void {
    this.#blobs.push(blob);
    this.files.put({ id, name, ...blobFacts(blob, name) });
  }

  async renameFile(file: FileEntry, name: string): Promise<void> {
    const fresh = this.#blobs.find(({ hash }) => hash.toString('hex') === file.blob);
    if (fresh) this.putFile(file.id, name, fresh);
    else this.files.put(await renamedFile(this.ctx, this.#base.revision.organizationId, file, name));
  }

  /**
   * The reverted pages of a revision of the space. Changes in a row that name the same one read it once. Default: the
   * initial revision of the change request.
   */
  async earlierPages(named: string | undefined, reverted: RevertedPages, path: ChangePath): Promise<EarlierPages> {
    if (this.#earlier && this.#earlier.named === named) return this.#earlier.pages;
    const pageIds = reverted.of(named).map((page) => this.refs.idOf(page));
    const pages = await this.#readPages(named, pageIds, path);
    this.#earlier = { named, pages };
    return pages;
  }

  /**
   * Those of these pages that the initial revision of the change request has, with what was below them, parents first.
   */
  async initialPages(pageIds: readonly string[], path: ChangePath): Promise<ReadonlyMap<string, LoadedPage>> {
    return (await this.#readPages(undefined, pageIds, path)).byId;
  }

  async #readPages(named: string | undefined, pageIds: readonly string[], path: ChangePath): Promise<EarlierPages> {
    const id = named ?? this.#base.initialRevisionId;
    const place = [...path, 'revisionId'];
    if (id === undefined) throw badInput(place, 'is required outside of change requests.', 'REQUIRED');
    const { spaceId } = this.#base.revision;
    const row = await this.ctx.db
      .selectFrom('revision')
      .where('id', '=', id)
      .where('spaceId', '=', spaceId)
      .select('id')
      .executeTakeFirst();
    if (!row) throw badInput(place, `is not a revision of this space: "${id}".`, 'NOT_FOUND');
    const { revision } = await revisionFor(this.ctx, spaceId, id);
    const pages = await loadVisibleSubtrees(this.ctx, revision, pageIds);
    return {
      byId: new Map(pages.map((page) => [page.pageId, page])),
      byParent: Map.groupBy(pages, ({ parentId }) => parentId),
    };
  }

  async finish(): Promise<EditedContent> {
    const { rootHash, newNodes } = this.tree.commit({
      now: nowOf(this.ctx),
      userId: userIdOf(this.ctx.actor) ?? null,
    });
    const { tagsHash } = this.#base.revision;
    const [files, reusableContents, variables] = await Promise.all([
      this.files.commit(),
      this.reusableContents.commit(),
      this.variables.commit(),
    ]);
    const tooMuch =
      tooMany('files', files) ?? tooMany('reusableContents', reusableContents) ?? tooMany('variables', variables);
    if (tooMuch !== undefined) throw badInput(['changes'], tooMuch, 'TOO_MANY');
    return {
      rootHash,
      filesHash: files.rootHash,
      reusableContentsHash: reusableContents.rootHash,
      variablesHash: variables.rootHash,
      tagsHash: tagsHash && toHex(tagsHash),
      newNodes,
      newManifestNodes: [...files.newNodes, ...reusableContents.newNodes, ...variables.newNodes],
      documents: [...this.#documents.values()],
      sources: [...this.#sources.values()],
      blobs: this.#blobs,
    };
  }
}
