/** The texts of the files that can be included, by the name that an inclusion gives. Undefined for unknown ones. */
export type Includes = (name: string) => string | undefined;

/** A page with everything that it includes does not become larger, in characters. */
const MAX_EXPANDED = 1024 * 1024;
/** Files are searched for the lines of their inclusions up to this number of characters in total. */
const MAX_SEARCHED = 32 * 1024 * 1024;
const MAX_DEPTH = 8;
const LINE = /^([ \t]*);?-{1,}8<-{1,}[ \t]+["']([^"'\n]{1,500})["'][ \t]*$/;
const FENCE = /^([ \t]*)-{1,}8<-{1,}[ \t]*$/;

/**
 * Replaces snippets (PyMdown), `--8<-- "file.md"`, by the lines of their files: all, those between `file:from:to`, or
 * those of a section. Unknown files, and snippets that are too large or nested too deeply, stay as written.
 */
export function withSnippets(markdown: string, includes: Includes): string {
  if (!markdown.includes('8<')) return markdown;
  const budget = { remaining: MAX_EXPANDED, searched: MAX_SEARCHED };
  return expanded(markdown, includes, budget, 0);
}

interface Budget {
  remaining: number;
  searched: number;
}

function expanded(text: string, includes: Includes, budget: Budget, depth: number): string {
  return inclusionsIn(text)
    .map(({ line, indent, name }) => {
      const snippet = name && depth < MAX_DEPTH ? lookUp(name, includes, budget) : undefined;
      // Each line of the file is indented like the inclusion.
      const size = snippet === undefined ? 0 : snippet.length + indent.length * linesIn(snippet);
      if (snippet === undefined || size > budget.remaining) return line;
      budget.remaining -= size;
      const inner = expanded(snippet, includes, budget, depth + 1);
      return inner
        .split('\n')
        .map((each) => (each === '' ? each : indent + each))
        .join('\n');
    })
    .join('\n');
}

/**
 * The lines of a text, without the marks around lists of files, with the names of the files to include in their place.
 */
function inclusionsIn(text: string): { line: string; indent: string; name: string | undefined }[] {
  let isList = false;
  return text.split('\n').map((line) => {
    if (FENCE.test(line)) {
      isList = !isList;
      return { line: '', indent: '', name: undefined };
    }
    const [, indent = '', name] = isList ? ['', '', line.trim()] : (LINE.exec(line) ?? []);
    return { line, indent, name: name || undefined };
  });
}

const linesIn = (text: string): number => text.split('\n').length;

function lookUp(name: string, includes: Includes, budget: Budget): string | undefined {
  const { path, part } = addressIn(name);
  const text = includes(path);
  if (text === undefined || text.length > budget.searched) return undefined;
  budget.searched -= text.length;
  const whole = text.trimEnd();
  if (part === undefined) return whole;
  const lines = whole.split('\n');
  const [from, to] = part.split(':').map((number) => Number(number || Number.NaN));
  if (/^[\d:]+$/.test(part)) return lines.slice((from || 1) - 1, to || undefined).join('\n');
  const start = lines.findIndex((line) => line.includes(`[start:${part}]`));
  const end = lines.findIndex((line) => line.includes(`[end:${part}]`));
  return start < 0 ? undefined : lines.slice(start + 1, end < 0 ? undefined : end).join('\n');
}

const addressIn = (name: string): { path: string; part: string | undefined } => {
  const [, path = name, part] = /^([^:]+):(.*)$/.exec(name) ?? [];
  return { path, part };
};

/** A file that a text includes. */
export interface Snippet {
  name: string;
  /** Whether the whole file is included, not only some of its lines. */
  isWhole: boolean;
  /** Number of characters before each of its lines. */
  indent: number;
}

/** The files that a text includes, in order. */
export const snippetsIn = (markdown: string): Snippet[] =>
  markdown.includes('8<')
    ? inclusionsIn(markdown).flatMap(({ indent, name }) => {
        if (name === undefined) return [];
        const { path, part } = addressIn(name);
        return [{ name: path, isWhole: part === undefined, indent: indent.length }];
      })
    : [];
