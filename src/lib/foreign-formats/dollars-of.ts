import { isConfig } from './docusaurus-config.ts';
import type { Dollars } from './formulas.ts';
import { readMkdocsConfig } from './mkdocs-config.ts';

/** A file whose content says how formulas are written: of mdBook, MkDocs, Docusaurus, VitePress and Mintlify. */
export const saysDollars = (path: string): boolean =>
  isConfig(path) ||
  /(?:^|\/)(?:book\.toml|mkdocs\.ya?ml|\.vitepress\/config\.[cm]?[jt]s|docs\.json|mint\.json)$/.test(path);

/** How the generator with a configuration reads dollars in its pages. */
export function dollarsOf(path: string, configuration: string): Dollars {
  const text = configuration.slice(0, 500_000);
  const lines = text.split('\n').map((line) => line.replaceAll(' ', '').replaceAll('\t', ''));
  const has = (...starts: string[]) => lines.some((line) => starts.some((start) => line.startsWith(start)));
  if (path.endsWith('book.toml')) {
    if (has('[preprocessor.katex', '[preprocessor.mathjax', '[preprocessor.mathml')) return 'tight';
    return has('mathjax-support=true') ? 'doubled' : 'literal';
  }
  if (isConfig(path)) return /remark-?math/i.test(text) ? 'any' : 'literal';
  if (path.includes('.vitepress/')) {
    const compact = lines.join('');
    return /[{,]math:true\b|markdown-it-(?:math|katex)/.test(compact) ? 'tight' : 'literal';
  }
  if (/\.ya?ml$/.test(path)) {
    const config = readMkdocsConfig(text, '');
    return typeof config === 'string' ? 'literal' : config.syntax.dollars;
  }
  return /"(?:navigation|tabs|\$schema)"/.test(text) ? 'tight' : 'literal';
}
