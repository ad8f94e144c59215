import type { z } from 'zod';
import { parseOptions } from '../validation/describe-issue.ts';
import type { Issue } from '../validation/flatten-issues.ts';
import { assignAnchors } from './anchors.ts';
import { anchorsShape, blockData, inlineData } from './data-shapes.ts';
import type {
  Block,
  BlockOf,
  BlockType,
  Fragment,
  Inline,
  InlineType,
  JSONDocument,
  Phrasing,
  TableData,
} from './document.ts';
import { documentOf } from './empty.ts';
import { assignKeys, makeKey, type NextKey } from './keys.ts';
import { blockRules, codeInlines, type FragmentRule, inlineRules, inlineTypes, topLevels } from './node-rules.ts';
import { preflight, valueWithLineFeeds } from './preflight.ts';
import { ValidationReader } from './validate-reader.ts';
import { readText } from './validate-text.ts';

export type Validation = { document: JSONDocument } | { issues: Issue[] };

/**
 * Validates an untrusted value against the document schema and returns a complete document. In it, every node has
 * `key`, `data` and `isVoid`, every leaf has `marks`, anchors are in `meta.id`, `schemaVersion` is 8, and lines end
 * with `\n`. Unknown node types are rejected, unknown properties are removed. Reports at most 100 issues.
 */
export function validateDocument(input: unknown, nextKey: NextKey = makeKey): Validation {
  const { issue, hasReturns } = preflight(input);
  if (issue) return { issues: [issue] };
  const reader = new ValidationReader();
  const nodes = readDocument(reader, hasReturns ? valueWithLineFeeds(input) : input);
  if (reader.issues.length > 0) return { issues: reader.issues };
  const document = documentOf(nodes);
  assignKeys(document, nextKey);
  assignAnchors(document);
  return { document };
}

function readDocument(reader: ValidationReader, input: unknown): Block[] {
  const members = reader.object(input, 'document');
  return members ? readBlocks(reader, members.nodes, topLevels) : [];
}

function readBlocks(reader: ValidationReader, value: unknown, allowed: readonly BlockType[]): Block[] {
  return reader.list(value, 'nodes', (each) => readBlock(reader, each, allowed));
}

function readBlock(reader: ValidationReader, value: unknown, allowed: readonly BlockType[]): Block | undefined {
  const members = reader.object(value, 'block');
  const type = members && reader.type(members.type, allowed);
  if (!type) return undefined;
  const rule = blockRules[type];
  const node: Record<string, unknown> = { object: 'block', type, ...reader.key(members.key), isVoid: rule.isVoid };
  node.data = readData(reader, blockData[type], members.data);
  if (members.anchors != null) node.anchors = readData(reader, anchorsShape, members.anchors);
  if (rule.children === 'phrasing') node.nodes = readPhrasing(reader, members.nodes, inlineTypes);
  else if (rule.children === 'code') node.nodes = readPhrasing(reader, members.nodes, codeInlines);
  else if (rule.children !== 'none') node.nodes = readBlocks(reader, members.nodes, rule.children);
  if (rule.fragments === 'cells') node.fragments = readCells(reader, members.fragments, node as BlockOf<'table'>);
  else if (rule.fragments) node.fragments = readFragments(reader, members.fragments, rule.fragments);
  return node as Block; // every property was read by the rule of this type
}

function readPhrasing(reader: ValidationReader, value: unknown, allowed: readonly InlineType[]): Phrasing[] {
  return reader.list(value, 'nodes', (each) => {
    const isText = typeof each === 'object' && each !== null && 'object' in each && each.object === 'text';
    return isText ? readText(reader, each) : readInline(reader, each, allowed);
  });
}

function readInline(reader: ValidationReader, value: unknown, allowed: readonly InlineType[]): Inline | undefined {
  const members = reader.object(value, 'inline', 'text');
  const type = members && reader.type(members.type, allowed);
  if (!type) return undefined;
  const rule = inlineRules[type];
  const node: Record<string, unknown> = { object: 'inline', type, ...reader.key(members.key), isVoid: rule.isVoid };
  node.data = readData(reader, inlineData[type], members.data);
  if (rule.children) node.nodes = readPhrasing(reader, members.nodes, rule.children);
  if (rule.fragments) node.fragments = readFragments(reader, members.fragments, rule.fragments);
  return node as Inline; // every property was read by the rule of this type
}

function readData(reader: ValidationReader, shape: z.ZodType, value: unknown): unknown {
  const result = shape.safeParse(value ?? {}, parseOptions);
  if (result.success) return result.data;
  reader.reportIssues(result.error.issues);
  return undefined;
}

function readFragments(reader: ValidationReader, value: unknown, rules: readonly FragmentRule[]): Fragment[] {
  const names = new Set<string>();
  const read = (each: unknown): Fragment | undefined => {
    const members = reader.object(each, 'fragment');
    if (!members) return undefined;
    const rule = rules.find(({ name }) => members.fragment === name || members.type === name);
    if (!rule) return reader.unnamed(rules);
    if (names.has(rule.name)) return reader.reject(`There can be only one fragment "${rule.name}".`, [], 'DUPLICATE');
    names.add(rule.name);
    const nodes = readBlocks(reader, members.nodes, rule.allowed);
    reader.count(nodes.length, rule);
    return { ...fragmentMembers(reader, members), nodes };
  };
  const fragments = reader.list(value ?? [], 'fragments', read);
  for (const { name, required } of rules) {
    if (required && !names.has(name)) reader.report(`The fragment "${name}" is missing.`, ['fragments'], 'REQUIRED');
  }
  return fragments;
}

function readCells(reader: ValidationReader, value: unknown, { data }: BlockOf<'table'>): Fragment[] {
  const names = new Set<string>();
  const fragments = reader.list(value, 'fragments', (each) => {
    const members = reader.object(each, 'fragment');
    if (!members) return undefined;
    const { fragment } = members;
    if (typeof fragment !== 'string' || names.has(fragment))
      return reader.reject('Expected a unique name.', ['fragment'], 'DUPLICATE');
    names.add(fragment);
    return { ...fragmentMembers(reader, members), nodes: readBlocks(reader, members.nodes, topLevels) };
  });
  if (data) checkCells(reader, data, names);
  return fragments;
}

/** Each text cell refers to its own fragment, or is empty. */
function checkCells(reader: ValidationReader, { records, definition }: TableData, unnamed: Set<string>): void {
  for (const [record, { values }] of Object.entries(records)) {
    for (const [column, cell] of Object.entries(values)) {
      if (definition[column]?.type !== 'text' || cell === null || cell === '') continue;
      if (typeof cell === 'string' && unnamed.delete(cell)) continue;
      const path = ['data', 'records', record, 'values', column];
      reader.report('Expected the name of a fragment of the table that no other cell uses.', path);
    }
  }
}

function fragmentMembers(
  reader: ValidationReader,
  { key, fragment, type }: Record<string, unknown>,
): Omit<Fragment, 'nodes'> {
  const members: Omit<Fragment, 'nodes'> = { object: 'fragment', ...reader.key(key) };
  if (typeof type === 'string') members.type = type;
  if (typeof fragment === 'string') members.fragment = fragment;
  return members;
}
