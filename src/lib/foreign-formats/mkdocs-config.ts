import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { MAX_YAML, readYaml } from '../read-yaml.ts';
import { isExternal } from '../repository/links.ts';
import { joinPath } from '../repository/repository-path.ts';
import type { SummaryItem } from '../repository/summary.ts';
import { ANY_SYNTAX, type MkdocsSyntax } from './mkdocs-inline.ts';

const MAX_DEPTH = 32;

/** The settings of a `mkdocs.yml` that an import uses. Paths are those of the archive. */
export interface MkdocsConfig {
  /** The folder of the pages. */
  docs: string;
  /** The table of contents; undefined for the order of the folders. */
  contents: SummaryItem[] | undefined;
  /** Folders in which snippets are looked up. */
  bases: string[];
  /** Names of snippets that each page ends with. */
  appended: string[];
  syntax: MkdocsSyntax;
}

/**
 * Reads a `mkdocs.yml` in a folder. Custom tags such as `!ENV` and `!!python/name:` do not matter. A string is why it
 * cannot be read.
 */
export function readMkdocsConfig(text: string, folder: string): MkdocsConfig | string {
  if (text.length > MAX_YAML) return `it is longer than ${MAX_YAML} characters`;
  const { document, fault } = readYaml(text.replace(/!!python\/[\w/]+:[\w.]+/g, '!python'));
  if (fault !== undefined) return fault;
  const docs = joinPath(folder, textAt(document.contents, 'docs_dir') ?? 'docs') ?? folder;
  const nav = memberOf(document.contents, 'nav');
  const contents = isSeq(nav) ? itemsOf(nav.items, docs, 0) : undefined;
  const extensions = memberOf(document.contents, 'markdown_extensions');
  const basePaths = snippetsSetting(extensions, 'base_path');
  const bases = [
    ...basePaths.flatMap((base) => joinPath(folder, base.replace(/^\$config_dir\/?/, '')) ?? []),
    folder,
    docs,
  ];
  return {
    docs,
    contents: contents?.length ? contents : undefined,
    bases: [...new Set(bases)],
    appended: snippetsSetting(extensions, 'auto_append'),
    syntax: syntaxOf(document.contents, extensions),
  };
}

const FORMULAS = [
  'pymdownx.arithmatex',
  'mdx_math',
  'mdx_math_gh',
  'markdown_katex',
  'python_markdown_math',
  'mdx_mathjax',
];

/** Syntax of a project's texts, by its extensions and scripts. A project without a list of extensions may use all. */
function syntaxOf(config: unknown, extensions: unknown): MkdocsSyntax {
  const names = new Set(extensionNames(extensions));
  const uses = (...candidates: string[]) =>
    candidates.some((name) => names.has(name) || names.has(`markdown.extensions.${name}`));
  const scripts = memberOf(config, 'extra_javascript');
  const typesets =
    isSeq(scripts) && scripts.items.some((item) => /mathjax|katex/i.test(stringOf(item) ?? textAt(item, 'path') ?? ''));
  const dollars = uses(...FORMULAS) || typesets ? 'round' : 'literal';
  if (names.size === 0 || memberOf(config, 'INHERIT') !== undefined) return { ...ANY_SYNTAX, dollars };
  return { tilde: uses('pymdownx.tilde'), caret: uses('pymdownx.caret'), dollars };
}

/** A list of names and of mappings from names to settings, or a mapping. */
function extensionNames(extensions: unknown): string[] {
  if (isMap(extensions)) return extensions.items.flatMap(({ key }) => stringOf(key) ?? []);
  if (!isSeq(extensions)) return [];
  return extensions.items.flatMap((item) => (isMap(item) ? extensionNames(item) : (stringOf(item) ?? [])));
}

function memberOf(node: unknown, name: string): unknown {
  return isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === name)?.value : undefined;
}

const stringOf = (node: unknown) => (isScalar(node) && node.value !== null ? String(node.value) : undefined);
const textAt = (node: unknown, name: string) => stringOf(memberOf(node, name));

function itemsOf(nodes: readonly unknown[], docs: string, depth: number): SummaryItem[] {
  if (depth > MAX_DEPTH) return [];
  return nodes.flatMap((node) => {
    if (isScalar(node)) return typeof node.value === 'string' ? [entry('', node.value, docs)] : [];
    if (!isMap(node)) return [];
    return node.items.flatMap(({ key, value }) => {
      const title = stringOf(key) ?? '';
      if (isSeq(value)) return [section(title, itemsOf(value.items, docs, depth + 1))];
      const address = stringOf(value as Node);
      return address === undefined ? [] : [entry(title, address, docs)];
    });
  });
}

/** The page of the folder, if it comes first and has no title, is the page of the section. */
function section(title: string, children: SummaryItem[]): SummaryItem {
  const [first, ...others] = children;
  const isIndex = first?.title === '' && /(?:^|\/)(?:index|readme)\.md$/i.test(first.url ?? '');
  if (!first || !isIndex) return { title, isHeading: false, line: 1, children };
  return { ...first, linkTitle: title, children: [...first.children, ...others] };
}

function entry(title: string, address: string, docs: string): SummaryItem {
  const path = isExternal(address) ? undefined : joinPath(docs, address);
  const url = path === undefined ? address : `/${path.split('/').map(encodeURIComponent).join('/')}`;
  return { title, url, isHeading: false, line: 1, children: [] };
}

/** A setting of `pymdownx.snippets` that is a name or a list of names. */
function snippetsSetting(extensions: unknown, name: string): string[] {
  const maps: readonly unknown[] = isSeq(extensions) ? extensions.items : [extensions];
  const snippets = maps.map((item) => memberOf(item, 'pymdownx.snippets')).find((setting) => setting !== undefined);
  const value = memberOf(snippets, name);
  const nodes: readonly unknown[] = isSeq(value) ? value.items : [value];
  return nodes.flatMap((node) => stringOf(node) ?? []);
}
