const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Rewrites Markdown outside of fenced code blocks and code spans. */
export function rewriteOutsideCode(markdown: string, rewrite: (text: string) => string): string {
  let fence: string | undefined;
  return markdown
    .split('\n')
    .map((line) => {
      const marker = FENCE.exec(line)?.[1];
      if (fence === undefined) fence = marker;
      else if (marker?.startsWith(fence)) fence = undefined;
      return fence === undefined && marker === undefined ? rewriteOutsideCodeSpans(line, rewrite) : line;
    })
    .join('\n');
}

/** Rewrites a line outside of its code spans. */
export const rewriteOutsideCodeSpans = (line: string, rewrite: (text: string) => string): string =>
  line
    .split(/(`+[^`]*`+)/)
    .map((part, index) => (index % 2 === 1 ? part : rewrite(part)))
    .join('');
