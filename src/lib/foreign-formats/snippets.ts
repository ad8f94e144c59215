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
  let isList = false;
  return text
    .split('\n')
    .map((line) => {
      const edge = FENCE.exec(line);
      if (edge) {
        isList = !isList;
        return '';
      }
      const [, indent = '', name] = isList ? ['', '', line.trim()] : (LINE.exec(line) ?? []);
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

const linesIn = (text: string): number => text.split('\n').length;

function lookUp(name: string, includes: Includes, budget: Budget): string | undefined {
  const [, path = name, part] = /^([^:]+):(.*)$/.exec(name) ?? [];
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

/** The names in the snippets of a text. */
export const snippetsIn = (markdown: string): string[] =>
  markdown.includes('8<')
    ? markdown.split('\n').flatMap((line) => {
        const name =
          LINE.exec(line)?.[2] ?? (/^[ \t]*[\w./-]{1,300}\.\w{1,10}[ \t]*$/.test(line) ? line.trim() : undefined);
        return name === undefined ? [] : [name.replace(/:.*$/s, '')];
      })
    : [];
