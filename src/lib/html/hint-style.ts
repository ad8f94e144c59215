import type { Element } from 'hast';
import { classesOf } from './elements.ts';

const STYLES: readonly (readonly [RegExp, string])[] = [
  [/(?:^|-)(?:danger|error|caution|important|failure)$/, 'danger'],
  [/(?:^|-)(?:warning|warn|attention)$/, 'warning'],
  [/(?:^|-)(?:success|tip|check|done)$/, 'success'],
  [/(?:^|-)(?:info|note|information|hint|callout|abstract|secondary|primary)$/, 'info'],
];
const HINT =
  /^(?:admonition|alert|callout|theme-admonition|confluence-information-macro|markdown-alert|hint|notice|custom-block|notification)(?:$|-)/;

/** Names of the parts of such an element. */
const PART = /-(?:body|content|title|heading|header|icon|text|inner)$/;

const CONTAINERS = new Set(['aside', 'div', 'section']);

/** The style of the hint that an element is converted to; undefined if it is none. */
export function hintStyle(element: Element): string | undefined {
  const classes = classesOf(element);
  if (!CONTAINERS.has(element.tagName) || !classes.some((name) => HINT.test(name))) return undefined;
  if (classes.some((name) => PART.test(name))) return undefined;
  return STYLES.find(([pattern]) => classes.some((name) => pattern.test(name)))?.[1] ?? 'info';
}
