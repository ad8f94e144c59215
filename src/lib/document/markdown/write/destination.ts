import { entity } from '../entities.ts';

/** A URL in the parentheses of a link (CommonMark section 6.3). */
export function linkDestination(url: string, inCell: boolean): string {
  const escaped = url
    .replace(/\\(?![a-z\d])/gi, '\\\\')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/[\n\r\t]|^ | $/g, entity)
    .replace(/\|/g, inCell ? '\\|' : '|');
  if (url !== '' && !/[\s\p{Cc}<>]/u.test(url) && isBalanced(url)) return escaped;
  return `<${escaped.replace(/[<>]/g, '\\$&')}>`;
}

/** A title after the URL, with the space before it. */
export function linkTitle(title: string, inCell: boolean): string {
  const escaped = title
    .replace(/[\\"]/g, '\\$&')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/[\n\r]/g, entity)
    .replace(/\|/g, inCell ? '\\|' : '|');
  return ` "${escaped}"`;
}

/** Whether parentheses are balanced. micromark supports 32 nested ones. */
function isBalanced(url: string): boolean {
  let depth = 0;
  for (const char of url) {
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    if (depth < 0 || depth > 30) return false;
  }
  return depth === 0;
}
