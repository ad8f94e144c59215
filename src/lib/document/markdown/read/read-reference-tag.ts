import { block, inline, paragraph, textNode } from '../../build.ts';
import type { RefOf } from '../../content-ref.ts';
import type { Block, Blocks } from '../../document.ts';
import { flagOf } from '../attribute-values.ts';
import type { MarkupElement } from './item.ts';
import { isBlank } from './items.ts';
import type { ReadContext } from './read-context.ts';

type Attributes = MarkupElement['attributes'];

/** Tags that show other content; undefined for tags with other names. */
export function readReferenceTag(element: MarkupElement, ctx: ReadContext, depth: number): Block[] | undefined {
  const node = referenceBlock(element, ctx);
  if (!node) return undefined;
  const rest = repeatsTarget(element) ? [] : ctx.blocks(element.items, depth);
  if (rest.length > 0) ctx.report(element.line, `The content of ${element.source} follows the block.`);
  return [node, ...rest];
}

function referenceBlock(element: MarkupElement, ctx: ReadContext): Block | undefined {
  const { name, attributes } = element;
  switch (name) {
    case '%embed':
      return block('embed', { data: { url: attributes.get('url') ?? '', ...flags(attributes, 'fullWidth') } });
    case '%content-ref':
      return block('content-ref', { data: { ref: ctx.refOf(attributes.get('url') ?? '', 'content-ref') } });
    case '%file':
      return fileBlock(element, ctx);
    case '%drawing':
      return drawingBlock(element, ctx);
    case '%include':
      return includeBlock(element, ctx);
    case '%@':
      return integrationBlock(element);
    default:
      return openApiBlock(element, ctx);
  }
}

/** Content that only repeats the target for readers without these tags: a paragraph with one link. */
function repeatsTarget({ name, items }: MarkupElement): boolean {
  if (name !== '%content-ref' && !name.startsWith('%openapi') && name !== '%swagger') return false;
  const [only, ...others] = items.filter((item) => !isBlank(item));
  if (only?.kind !== 'node' || only.node.type !== 'paragraph' || others.length > 0) return false;
  return only.node.children.length === 1 && only.node.children[0]?.type === 'link';
}

function fileBlock({ attributes, line }: MarkupElement, ctx: ReadContext): Block {
  const url = attributes.get('src') ?? '';
  const ref = ctx.refOf(url, 'file');
  if (ref.kind === 'file') return block('file', { data: { ref } });
  ctx.report(line, `The file ${url} does not exist. A link to it is kept.`);
  return paragraph([inline('link', { data: { ref }, nodes: [textNode(url)] })]);
}

function drawingBlock({ attributes }: MarkupElement, ctx: ReadContext): Block {
  const url = attributes.get('src');
  if (url === undefined) return block('drawing', { data: {} });
  const ref = ctx.mediaOf(url);
  if (ref.kind === 'file') return block('drawing', { data: { ref } });
  return block('images', { data: {}, nodes: [block('image', { data: { ref }, fragments: [] })] });
}

/** An include of a reusable content. One whose content is unknown is kept as it was written. */
function includeBlock({ attributes, source, line }: MarkupElement, ctx: ReadContext): Block {
  const url = attributes.get('') ?? attributes.get('src') ?? '';
  const target = ctx.refOf(url, 'include');
  const ref = target.kind === 'reusable-content' ? target : reusableAt(url);
  if (ref) return block('reusable-content', { data: { ref } });
  ctx.report(line, `The content of ${source} is unknown and is kept as text.`);
  return block('unknown', { data: { source } });
}

const reusablePath = /^(?:https?:\/\/[^/?#]+)?(?:\/(?:[^/?#~]+\/)*?)?(?:s\/([^/?#]+)\/)?~\/reusable\/([^/?#]+)\/?$/;

/** The reusable content of an address in GitBook's application. */
function reusableAt(url: string): RefOf<'reusable-content'> | undefined {
  if (url.length > 500) return undefined;
  const [, space, id] = reusablePath.exec(url) ?? [];
  if (id === undefined) return undefined;
  return { kind: 'reusable-content', reusableContent: id, ...(space !== undefined && { space }) };
}

/** `{% @integration/block name="value" %}`. Values other than strings have the fenced form. */
function integrationBlock({ attributes, source }: MarkupElement): Block | undefined {
  const [, integration, name] = /^\{%\s*@([\w-]+)\/([\w-]+)/.exec(source) ?? [];
  if (integration === undefined || name === undefined) return undefined;
  const { url, fullWidth: _, ...props } = Object.fromEntries(attributes);
  const data: Blocks['integration']['data'] = { integration, block: name, props, ...flags(attributes, 'fullWidth') };
  if (url !== undefined) data.url = url;
  return block('integration', { data });
}

function openApiBlock({ name, attributes }: MarkupElement, ctx: ReadContext): Block | undefined {
  const get = (attribute: string): string => attributes.get(attribute) ?? '';
  if (name === '%openapi' || name === '%swagger') {
    const data = { ref: ctx.mediaOf(get('src')), path: get('path'), method: get('method') };
    return block('swagger', { data: { ...data, ...flags(attributes, 'expanded'), ...flags(attributes, 'fullWidth') } });
  }
  const ref = { kind: 'openapi' as const, spec: get('spec') };
  if (ref.spec === '') return undefined;
  const headless = flags(attributes, 'headless');
  if (name === '%openapi-operation') {
    return block('openapi-operation', { data: { ref, path: get('path'), method: get('method'), ...headless } });
  }
  if (name === '%openapi-webhook') {
    return block('openapi-webhook', { data: { ref, name: get('name'), method: get('method'), ...headless } });
  }
  if (name !== '%openapi-schemas') return undefined;
  const schemas = get('schemas') === '' ? [] : get('schemas').split(',');
  const title = attributes.get('title');
  return block('openapi-schemas', {
    data: { ref, schemas, ...flags(attributes, 'grouped'), ...(title !== undefined && { title }) },
  });
}

/** The attribute as a property with this name, if it is present. */
function flags<T extends string>(attributes: Attributes, name: T): { [N in T]?: boolean } {
  const value = flagOf(attributes.get(name));
  return value === undefined ? {} : ({ [name]: value } as { [N in T]?: boolean }); // a computed name widens to string
}
