import { canonicalJson } from '../../../canonical.ts';
import type { Block, BlockOf } from '../../document.ts';
import { withoutKeys } from '../../keys.ts';
import { textOfLine } from '../../plain-text.ts';
import { entity } from '../entities.ts';
import { BLOCK_FENCE, MATH_FENCE } from '../forms.ts';
import { isPlainTag } from '../unknown-tag.ts';
import { linkDestination } from './destination.ts';
import { escapeMarkdown } from './escape.ts';
import type { WriteContext } from './write-context.ts';
import { closingTag, openingTag } from './write-tag.ts';

/** A block without child blocks, apart from text, images and tables. */
export function writeLeafBlock(node: Block, ctx: WriteContext): string {
  switch (node.type) {
    case 'code':
      return writeCode(node);
    case 'math':
      return writeMath(node.data.formula);
    case 'embed':
      return openingTag('embed', { url: node.data.url, fullWidth: node.data.fullWidth });
    case 'file':
      return openingTag('file', { src: ctx.urlOf(node.data.ref) });
    case 'drawing':
      return openingTag('drawing', { src: node.data.ref && ctx.urlOf(node.data.ref) });
    case 'content-ref':
      return writeContentRef(ctx.urlOf(node.data.ref));
    case 'reusable-content':
      return openingTag('include', { '': ctx.urlOf(node.data.ref) }).replace(' =', ' ');
    case 'swagger': {
      const { ref, ...data } = node.data;
      return emptyTag('openapi', { src: ctx.urlOf(ref), ...data });
    }
    case 'openapi-operation':
    case 'openapi-webhook': {
      const { ref, ...data } = node.data;
      return emptyTag(node.type, { spec: ref.spec, ...data });
    }
    case 'openapi-schemas':
      return writeSchemas(node);
    case 'integration':
      return writeIntegration(node);
    case 'unknown':
      return isPlainTag(node.data.source) ? node.data.source : writeStored(node);
    default:
      return writeStored(node);
  }
}

/**
 * A block as JSON in a fence with a special language, for blocks without a Markdown form. It is restored completely.
 */
export function writeStored(node: Block): string {
  return fenced(canonicalJson(withoutKeys(node)), BLOCK_FENCE);
}

function writeCode(node: BlockOf<'code'>): string {
  const isPlain = node.nodes.every((line) => line.nodes.every((each) => each.object === 'text'));
  if (!isPlain) return writeStored(node);
  const { syntax = '', ...data } = node.data;
  const highlight = node.nodes.flatMap((line, i) => (line.data.highlighted ? [i + 1] : [])).join(',');
  const attributes = { ...data, highlight: highlight || undefined };
  const fence = fenced(node.nodes.map((line) => textOfLine(line.nodes)).join('\n'), syntax);
  const isBare = Object.values(attributes).every((value) => value === undefined);
  if (isBare && syntax !== BLOCK_FENCE && syntax !== MATH_FENCE) return fence;
  return [openingTag('code', attributes), fence, closingTag('code')].join('\n');
}

function fenced(content: string, syntax: string): string {
  const longest = longestRun(content, /(?:^|\n)[ \t]*(`{3,})/g, 2);
  const fence = '`'.repeat(longest + 1);
  const info = syntax.replace(/[\s`\\&]/g, entity);
  return content === '' ? `${fence}${info}\n${fence}` : `${fence}${info}\n${content}\n${fence}`;
}

function writeMath(formula: string): string {
  const longest = longestRun(formula, /(?:^|\n)[ \t]*(\${2,})/g, 1);
  const fence = '$'.repeat(longest + 1);
  return formula === '' ? `${fence}\n${fence}` : `${fence}\n${formula}\n${fence}`;
}

/** Length of the longest run that could close a fence, or the minimum length. */
function longestRun(content: string, run: RegExp, least: number): number {
  let longest = least;
  for (const [, match = ''] of content.matchAll(run)) longest = Math.max(longest, match.length);
  return longest;
}

function writeContentRef(url: string): string {
  const place = { before: '[', after: ']', inLink: true, inCell: false };
  const link = `[${escapeMarkdown(url, place).replaceAll('\n', ' ')}](${linkDestination(url, false)})`;
  return [openingTag('content-ref', { url }), link, closingTag('content-ref')].join('\n');
}

function writeSchemas(node: BlockOf<'openapi-schemas'>): string {
  const { ref, schemas, ...data } = node.data;
  if (schemas.some((name) => name === '' || name.includes(','))) return writeStored(node);
  return emptyTag('openapi-schemas', { spec: ref.spec, schemas: schemas.join(','), ...data });
}

/** If all values are strings, they are printed as attributes. */
function writeIntegration(node: BlockOf<'integration'>): string {
  const { integration, block, props, action, url, fullWidth } = node.data;
  const names = Object.keys(props);
  const isPlain =
    !action &&
    [integration, block, ...names].every((name) => /^[\w-]+$/.test(name)) &&
    !names.includes('url') &&
    !names.includes('fullWidth') &&
    Object.values(props).every((value) => typeof value === 'string');
  if (!isPlain) return writeStored(node);
  const texts = names.sort().map((name): [string, string] => [name, String(props[name])]);
  return openingTag(`@${integration}/${block}`, { url, fullWidth, ...Object.fromEntries(texts) });
}

function emptyTag(name: string, attributes: Record<string, string | number | boolean | undefined>): string {
  return `${openingTag(name, attributes)}\n${closingTag(name)}`;
}
