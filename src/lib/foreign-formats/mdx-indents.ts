/**
 * Marks where a component begins and ends, for `withoutIndents`. Unicode reserves these characters for internal use.
 */
export const OPEN = '\ufdd0';
export const CLOSE = '\ufdd1';

const OPENING = /^[ \t]*(?:\{% (?:tabs|tab|hint|stepper|step)\b|\ufdd0)/;
const CLOSING = /^[ \t]*(?:\{% end(?:tabs|tab|hint|stepper|step)\b|\ufdd1)/;

/**
 * Removes the indentation of the content of components, which is meaningless in MDX but would be code in Markdown. The
 * indentation of the component itself stays, because it can belong to a list. Removes the marks of `rewriteJsx`.
 */
export function withoutIndents(lines: readonly string[]): string[] {
  const strips: { indent: number; strip: number | undefined }[] = [];
  let strip = 0;
  return lines.map((line) => {
    const indent = line.length - line.trimStart().length;
    if (CLOSING.test(line)) {
      strips.pop();
      strip = strips.at(-1)?.strip ?? 0;
      return cut(line, strip).replace(CLOSE, '');
    }
    const inner = strips.at(-1);
    if (inner && inner.strip === undefined && line.trim() !== '') {
      inner.strip = strip + Math.max(0, indent - inner.indent);
      strip = inner.strip;
    }
    const text = cut(line, strip).replace(OPEN, '');
    if (OPENING.test(line)) strips.push({ indent, strip: undefined });
    return text;
  });
}

function cut(line: string, columns: number): string {
  const indent = line.length - line.trimStart().length;
  return line.slice(Math.min(indent, columns));
}
