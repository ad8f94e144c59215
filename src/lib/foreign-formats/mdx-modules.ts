import { closesFence, type Fence, fenceOf, MAX_LINE } from './fence.ts';

/** An `import` or `export` with blank lines in it has at most this many lines. */
const MAX_LINES = 400;
const IMPORT =
  /^import\s+(?:\*\s+as\s+)?([A-Za-z_$][\w$]{0,100})\s*(?:,[^'"]{0,500})?\s+from\s+['"]([^'"\n]{1,500})['"]/;

/**
 * Blanks the imports and exports of MDX, which are at the start of a paragraph, outside of code. Default imports are
 * added to `modules`: the path by the name.
 */
export function extractModules(lines: readonly string[], modules: Map<string, string>): string[] {
  const result = [...lines];
  let fence: Fence | undefined;
  let isStart = true;
  for (let at = 0; at < result.length; at++) {
    const line = result[at] ?? '';
    if (fence) {
      if (closesFence(fence, line)) fence = undefined;
      continue;
    }
    fence = fenceOf(line);
    if (!fence && isStart && isModule(line)) {
      const end = endOfModule(result, at);
      for (let index = at; index < end; index++) {
        const [, name, path] = IMPORT.exec((result[index] ?? '').slice(0, MAX_LINE)) ?? [];
        if (name !== undefined && path !== undefined) modules.set(name, path);
        result[index] = '';
      }
      at = end - 1;
      continue;
    }
    isStart = line.trim() === '';
  }
  return result;
}

const isModule = (line: string) =>
  line.length <= MAX_LINE &&
  (/^import\s+(?:['"]|[\w$*{][^'"]{0,1000}\bfrom\s|\{|type\s)/.test(line) ||
    /^export\s+(?:default\b|const\b|let\b|var\b|function\b|async\b|class\b|\{|\*)/.test(line));

/** It ends at the first blank line where all brackets are closed, or else at the first blank line. */
function endOfModule(lines: readonly string[], from: number): number {
  let depth = 0;
  let first: number | undefined;
  for (let at = from; at < lines.length && at - from < MAX_LINES; at++) {
    const line = lines[at] ?? '';
    if (line.trim() === '') {
      if (depth <= 0) return at;
      first ??= at;
    } else if (at > from && depth <= 0 && !isModule(line) && !/^[\s})\]]/.test(line)) {
      return at;
    }
    for (const character of line) {
      if ('([{'.includes(character)) depth += 1;
      else if (')]}'.includes(character)) depth -= 1;
    }
  }
  return depth <= 0 ? Math.min(lines.length, from + MAX_LINES) : (first ?? from + 1);
}
