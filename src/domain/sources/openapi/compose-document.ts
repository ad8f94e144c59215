import { sha256 } from '../../../lib/canonical.ts';
import type { Block, JSONDocument, Text } from '../../../lib/document/document.ts';
import { documentOf } from '../../../lib/document/empty.ts';
import { assignKeys, countedKeys } from '../../../lib/document/keys.ts';
import type { Outline, OutlineOperation } from '../../../lib/openapi/outline.ts';
import {
  type OutlinePage,
  operationKey,
  operationsAt,
  operationsOfTag,
  pageOptions,
  pagesOf,
} from '../../../lib/openapi/pages.ts';
import type { Context } from '../../../platform/context/context.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { readBody } from '../../store/bodies/index.ts';
import { changelogPage } from './changelog-page.ts';

/** The specification that a body is made from. */
export interface Composed {
  organizationId: string;
  version: { versionId: string; slug: string; url: string | null };
  outline: Outline;
}

/**
 * The body of a page, by the properties of its source: descriptions, and a block for each operation. Block keys follow
 * from the operation, so that comments stay where they are. Undefined for a tag or an operation that does not exist.
 */
export async function composeDocument(
  ctx: Context,
  composed: Composed,
  props: Record<string, unknown>,
): Promise<JSONDocument | undefined> {
  const blocks = await blocksOf(ctx, composed, props);
  if (!blocks) return undefined;
  const document = documentOf(blocks);
  assignKeys(document, countedKeys('n'));
  return document;
}

async function blocksOf(
  ctx: Context,
  composed: Composed,
  props: Record<string, unknown>,
): Promise<Block[] | undefined> {
  const { outline, version } = composed;
  const { doc, page, method } = props;
  if (doc === undefined && page === undefined) return wholeReference(ctx, composed, props);
  if (doc === 'changelog') return markdownBlocks(ctx, composed, await changelogPage(ctx, version.versionId));
  if (doc === 'models') return [schemasBlock(version.slug, outline.schemas)];
  if (typeof page !== 'string') return undefined;
  if (doc === 'info' && page === '/') return infoBlocks(ctx, composed, props.downloadLink === true);
  if (doc === 'operation') {
    const matches = operationsAt(outline, page, method);
    return matches.length === 0 ? undefined : matches.map((operation) => operationBlock(version.slug, operation));
  }
  if (doc !== 'info' && doc !== 'operations' && doc !== 'tag') return undefined;
  const tag = outline.tags.find(({ name }) => name === page);
  const operations = operationsOfTag(outline, page);
  if (!tag && operations.length === 0) return undefined;
  const description = await markdownBlocks(ctx, composed, tag?.description ?? '');
  const listedOperations = doc === 'operations' ? operations : [];
  return [...description, ...listedOperations.map((operation) => operationBlock(version.slug, operation))];
}

/** All pages of a specification in one body, with headings for all but operations. For sources that name no page. */
async function wholeReference(ctx: Context, composed: Composed, props: Record<string, unknown>): Promise<Block[]> {
  const options = pageOptions(props);
  const below = async (pages: readonly OutlinePage[], level: number): Promise<Block[]> => {
    const blocks: Block[] = [];
    for (const { key, title, subject, pages: children } of pages) {
      const ownBlocks = (await blocksOf(ctx, composed, { ...subject })) ?? [];
      // The block of an operation has a title of its own.
      if (subject.doc !== 'operation') blocks.push(heading(key, title, level));
      blocks.push(...ownBlocks, ...(await below(children, level + 1)));
    }
    return blocks;
  };
  const info = await infoBlocks(ctx, composed, options.downloadLink);
  return [...info, ...(await below(pagesOf(composed.outline, options), 1))];
}

const HEADINGS = ['heading-1', 'heading-2', 'heading-3'] as const;

function heading(key: string, title: string, level: number): Block {
  const type = HEADINGS[Math.min(level, HEADINGS.length) - 1] ?? 'heading-3';
  const nodes: Text[] = [{ object: 'text', leaves: [{ object: 'leaf', text: title, marks: [] }] }];
  return { object: 'block', type, key: sha256(`heading ${key}`).slice(0, 12), isVoid: false, data: {}, nodes } as Block; // the same members for all levels
}

async function infoBlocks(ctx: Context, composed: Composed, hasLink: boolean): Promise<Block[]> {
  const { outline, version } = composed;
  const link = hasLink && version.url !== null ? `\n\n[Download the OpenAPI specification](<${version.url}>)` : '';
  return markdownBlocks(ctx, composed, `${outline.description}${link}`);
}

/** Text that cannot be read as a body is left out. */
async function markdownBlocks(ctx: Context, { organizationId }: Composed, markdown: string): Promise<Block[]> {
  if (markdown.trim() === '') return [];
  try {
    const read = await readBody(ctx, organizationId, { markdown }, ['description']);
    return structuredClone(read?.body.nodes ?? []);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'BAD_USER_INPUT') return [];
    throw error;
  }
}

function operationBlock(spec: string, operation: OutlineOperation): Block {
  const { kind, method, path } = operation;
  const ref = { kind: 'openapi' as const, spec };
  const key = operationKey(operation);
  return kind === 'webhook'
    ? { object: 'block', type: 'openapi-webhook', key, isVoid: true, data: { ref, name: path, method } }
    : { object: 'block', type: 'openapi-operation', key, isVoid: true, data: { ref, path, method } };
}

const schemasBlock = (spec: string, schemas: string[]): Block => ({
  object: 'block',
  type: 'openapi-schemas',
  key: 'models',
  isVoid: true,
  data: { ref: { kind: 'openapi', spec }, schemas, grouped: true },
});
