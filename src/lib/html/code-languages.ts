import type { Element, Parents } from 'hast';
import { attribute, classesOf, descendantElements, isElement, prune } from './elements.ts';

/** Lexers of Pygments that name no language, and those that are written differently elsewhere. */
const NAMES = new Map(
  Object.entries<string>({
    default: '',
    none: '',
    text: '',
    plaintext: '',
    ipython3: 'python',
    python3: 'python',
    pycon: 'python',
  }),
);

/** How many elements around a code block can have its language. */
const MAX_AROUND = 3;

/** Puts the language of code into the class where the conversion to Markdown looks for it, and removes line numbers. */
export function markLanguages(content: Parents): void {
  prune(content, (element) => !isNumbers(element));
  for (const table of descendantElements(content, isCodeTable)) unwrapTable(table);
  visit(content, []);
}

const isNumbers = (element: Element) =>
  classesOf(element).some((name) =>
    /^(?:linenos|linenodiv|lineno|gutter|line-numbers-rows|rouge-gutter)$/.test(name),
  ) && descendantElements(element, ({ tagName }) => tagName === 'table').length === 0;

const isCodeTable = (element: Element) =>
  element.tagName === 'table' && classesOf(element).some((name) => /^(?:highlighttable|rouge-table)$/.test(name));

/** A table that only shows code next to its line numbers, below the name of its file. */
function unwrapTable(table: Element): void {
  table.children = descendantElements(table, ({ tagName }) => /^(?:caption|pre|th)$/.test(tagName));
  for (const child of table.children) if (isElement(child) && child.tagName !== 'pre') child.tagName = 'p';
  table.tagName = 'div';
}

function visit(parent: Parents, around: readonly string[]): void {
  for (const child of parent.children) {
    if (!isElement(child)) continue;
    const own = languageOf(child);
    if (child.tagName === 'pre') mark(child, own, around);
    else visit(child, own === undefined ? around.slice(0, MAX_AROUND - 1) : [own, ...around].slice(0, MAX_AROUND));
  }
}

function mark(pre: Element, own: string | undefined, around: readonly string[]): void {
  const [code] = descendantElements(pre, ({ tagName }) => tagName === 'code');
  const name = own ?? (code && languageOf(code)) ?? around[0];
  const language = name === undefined ? '' : (NAMES.get(name.toLowerCase()) ?? name);
  if (language === '') {
    if (code) delete code.properties.className;
    return;
  }
  const className = [`language-${language}`];
  if (code) code.properties.className = className;
  else pre.children = [{ type: 'element', tagName: 'code', properties: { className }, children: pre.children }];
}

const CLASS = /^(?:language|lang|highlight-source|brush|highlight)-([\w+#-]+)$/;

/** The language that an element names: in the way of Confluence, Shiki, Prism, Sphinx, Rouge or GitHub. */
function languageOf(element: Element): string | undefined {
  const parameters = attribute(element, 'dataSyntaxhighlighterParams');
  const brush = /\bbrush:\s*([\w+#-]+)/.exec(parameters ?? '')?.[1];
  const named = attribute(element, 'dataLanguage') ?? attribute(element, 'dataLang');
  const ofClass = classesOf(element)
    .map((name) => CLASS.exec(name)?.[1])
    .find((name) => name !== undefined);
  return brush ?? named ?? ofClass;
}
