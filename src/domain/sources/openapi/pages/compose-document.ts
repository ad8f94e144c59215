import { sha256 } from '../../../../lib/canonical.ts';
import type { Block, JSONDocument, Text } from '../../../../lib/document/document.ts';
import { documentOf } from '../../../../lib/document/empty.ts';
import { assignKeys, countedKeys } from '../../../../lib/document/keys.ts';
import type { Outline, OutlineOperation } from '../../../../lib/openapi/outline.ts';
import {
  type BodySubject,
  bodySubject,
  inOrder,
  operationKey,
  operationsAt,
  operationsOfTag,
  type PageOptions,
  pagesOf,
  tagNamed,
} from '../../../../lib/openapi/pages.ts';
import { makeYielder } from '../../../../lib/tick.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { changelogPage } from '../changes/changelog-page.ts';
import { LimitedBlocks } from './limited-blocks.ts';
import { readDescription } from './read-description.ts';

/** What the body of one page shows. */
type OnePage = Exclude<BodySubject, { doc: 'all' }>;

/** The specification that a body is made from. */
export interface ComposedSpecification {
  organizationId: string;
  version: { versionId: string; slug: string; url: string | null };
  outline: Outline;
}

/**
 * The body of a page: descriptions, and a block for each operation. What exceeds the maximum size of bodies is left
 * out. Block keys follow from the operation, so that comments stay where they are. Undefined for a tag or an operation
 * that does not exist.
 */
export async function composeDocument(
  ctx: Context,
  composed: ComposedSpecification,
  subject: BodySubject,
): Promise<JSONDocument | undefined> {
  const limited = new LimitedBlocks();
  if (subject.doc === 'all') await addAllPages(ctx, composed, subject.options, limited);
  else {
    const blocks = await blocksOf(ctx, composed, subject);
    if (!blocks) return undefined;
    limited.add(blocks);
  }
  const document = documentOf(limited.blocks);
  assignKeys(document, countedKeys('n'));
  return document;
}

async function blocksOf(ctx: Context, composed: ComposedSpecification, subject: OnePage): Promise<Block[] | undefined> {
  const { outline, version } = composed;
  switch (subject.doc) {
    case 'changelog':
      return markdownBlocks(ctx, composed, await changelogPage(ctx, version.versionId));
    case 'models':
      return [schemasBlock(version.slug, outline.schemas)];
    case 'info':
      return infoBlocks(ctx, composed, subject.downloadLink);
    case 'operation': {
      const matches = operationsAt(outline, subject.page, subject.method);
      return matches.length === 0 ? undefined : operationBlocks(composed, matches);
    }
    case 'operations':
    case 'tag':
      return tagBlocks(ctx, composed, subject);
  }
}

async function tagBlocks(
  ctx: Context,
  composed: ComposedSpecification,
  { doc, page }: Extract<BodySubject, { doc: 'operations' | 'tag' }>,
): Promise<Block[] | undefined> {
  const tag = tagNamed(composed.outline, page);
  const operations = operationsOfTag(composed.outline, page);
  if (!tag && operations.length === 0) return undefined;
  const description = await markdownBlocks(ctx, composed, tag?.description ?? '');
  return doc === 'tag' ? description : [...description, ...operationBlocks(composed, operations)];
}

/** Adds all pages of a specification, with headings for all but operations. For sources that name no page. */
async function addAllPages(
  ctx: Context,
  composed: ComposedSpecification,
  options: PageOptions,
  limited: LimitedBlocks,
): Promise<void> {
  limited.add(await infoBlocks(ctx, composed, options.downloadLink));
  const pause = makeYielder();
  for (const { page, level } of inOrder(pagesOf(composed.outline, options))) {
    if (limited.isFull) break;
    await pause();
    const subject = bodySubject({ ...page.subject });
    if (!subject || subject.doc === 'all') continue;
    // The block of an operation has a title of its own.
    if (subject.doc !== 'operation') limited.add([heading(page.key, page.title, level)]);
    limited.add((await blocksOf(ctx, composed, subject)) ?? []);
  }
}

const HEADINGS = ['heading-1', 'heading-2', 'heading-3'] as const;

function heading(key: string, title: string, level: number): Block {
  const type = HEADINGS[Math.min(level, HEADINGS.length) - 1] ?? 'heading-3';
  const nodes: Text[] = [{ object: 'text', leaves: [{ object: 'leaf', text: title, marks: [] }] }];
  return { object: 'block', type, key: sha256(`heading ${key}`).slice(0, 12), isVoid: false, data: {}, nodes } as Block; // the same members for all levels
}

async function infoBlocks(ctx: Context, composed: ComposedSpecification, hasLink: boolean): Promise<Block[]> {
  const { outline, version } = composed;
  const link = hasLink && version.url !== null ? `\n\n[Download the OpenAPI specification](<${version.url}>)` : '';
  return markdownBlocks(ctx, composed, `${outline.description}${link}`);
}

/** Text that cannot be read as a body is left out. */
async function markdownBlocks(
  ctx: Context,
  { organizationId }: ComposedSpecification,
  markdown: string,
): Promise<Block[]> {
  return structuredClone((await readDescription(ctx, organizationId, markdown)) ?? []);
}

const operationBlocks = ({ version }: ComposedSpecification, operations: readonly OutlineOperation[]): Block[] =>
  operations.map((operation) => operationBlock(version.slug, operation));

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
