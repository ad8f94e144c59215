import type { ContentRef } from '../../../lib/document/content-ref.ts';
import { type Use, useOf } from '../../../lib/document/uses.ts';
import { makeYielder } from '../../../lib/tick.ts';
import type { DocumentFields, LinkFields } from '../../../lib/tree/node.ts';
import type { Context } from '../../../platform/context/context.ts';
import { usesOfDocuments } from '../../store/bodies/index.ts';
import { readReusableContents } from '../../store/manifests/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { loadVisibleTree } from '../../store/trees/index.ts';
import type { Variables } from './expression-scope.ts';

/** Something that uses content: a page, with its variables. */
interface UsingPage {
  uses: readonly Use[];
  variables: Variables;
}

/** Objects that the visible pages of a revision use, and its reusable contents. */
export interface UsedContent {
  revision: RevisionRow;
  pages: UsingPage[];
  /** By the id of the reusable content. */
  contents: ReadonlyMap<string, readonly Use[]>;
}

/** Reads the visible pages of a revision, its reusable contents, and the objects that the bodies of both use. */
export async function loadUsedContent(ctx: Context, revision: RevisionRow): Promise<UsedContent> {
  const [pages, contents] = await Promise.all([loadVisibleTree(ctx, revision), readReusableContents(ctx, revision)]);
  const hashes = [...pages, ...contents].flatMap(({ documentHash }) => documentHash ?? []);
  const ofDocuments = await usesOfDocuments(ctx, revision.organizationId, hashes);
  const usesOf = (hash: string | null | undefined) => (hash == null ? [] : (ofDocuments.get(hash) ?? []));
  const using: UsingPage[] = [];
  const pause = makeYielder();
  for (const page of pages) {
    await pause();
    const fields = page.node.fields as Partial<DocumentFields>; // other kinds have fewer
    const uses = [...usesOf(page.documentHash), ...usesOfFields(fields)];
    if (uses.length > 0) using.push({ uses, variables: fields.variables ?? {} });
  }
  const ofContents = contents.map(
    ({ id, documentHash, computed }) => [id, [...usesOf(documentHash), ...usesOfSource(computed)]] as const,
  );
  return { revision, pages: using, contents: new Map(ofContents) };
}

/** Objects that the fields of a page use: covers, tags, the target of a link, and the source of a computed page. */
export function usesOfFields(fields: object): Use[] {
  const { cover, tags, computed } = fields as Partial<DocumentFields>; // other kinds have fewer
  const { target } = fields as Partial<LinkFields>;
  const refs = [target, cover?.ref, cover?.refDark, ...(tags ?? []).map(({ tag }) => tag)];
  const uses = (refs as (ContentRef | null | undefined)[]).map((ref) => (ref ? useOf(ref) : undefined)); // validated when they were written
  return [...uses.filter((use) => use !== undefined), ...usesOfSource(computed)];
}

/** The specification that content is computed from. */
export function usesOfSource(computed: object | undefined): Use[] {
  const id = specOfSource(computed);
  return id === undefined ? [] : [{ kind: 'openapi', id }];
}

/** Slug of the specification that content is computed from. Undefined for other sources. */
export function specOfSource(computed: object | undefined): string | undefined {
  const { dependencies } = (computed ?? {}) as { dependencies?: { spec?: { ref?: { spec?: unknown } } } }; // validated when it was written
  const slug = dependencies?.spec?.ref?.spec;
  return typeof slug === 'string' ? slug : undefined;
}
