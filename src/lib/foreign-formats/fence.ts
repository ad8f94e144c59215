const FENCE = /^([ \t>]*)(`{3,}|~{3,})(.*)$/;

/** A line that opens a fenced code block. */
export interface Fence {
  indent: string;
  marker: string;
  info: string;
}

/** The fence that a line opens; undefined if it opens none. */
export function fenceOf(line: string): Fence | undefined {
  if (line.length > MAX_LINE) return undefined;
  const [, indent = '', marker = '', info = ''] = FENCE.exec(line) ?? [];
  return marker === '' || (marker.startsWith('`') && info.includes('`')) ? undefined : { indent, marker, info };
}

/** Whether a line closes the code block of a fence. */
export function closesFence({ marker }: Fence, line: string): boolean {
  const text = line.replace(/^[ \t>]*/, '').trimEnd();
  return text.length >= marker.length && text.startsWith(marker) && text === marker.charAt(0).repeat(text.length);
}

const LANGUAGE = /^[\w+#./-]+/;
const LANGUAGE_CLASS = /^\.([\w+#-]+)$/;
/** Longer lines are text: the patterns for lines are only applied to shorter ones. */
export const MAX_LINE = 2_000;
const MAX_INFO = 1_000;

/**
 * A code block with its title and line numbers as a tag. Generators write them after the language, as in
 * `js title="a.js" {1,3} showLineNumbers` or `{ .py title="a.py" linenums="1" }`.
 */
export function codeBlock({ indent, marker, info }: Fence, lines: readonly string[]): string[] {
  const meta = info.slice(0, MAX_INFO).trim();
  const named = LANGUAGE.exec(meta)?.[0];
  const language =
    named ??
    meta
      .split(/[\s{}]+/)
      .find((word) => LANGUAGE_CLASS.test(word))
      ?.slice(1) ??
    '';
  const title = /\b(?:title|file|filename)=(?:"([^"]*)"|'([^']*)')/.exec(meta);
  const hasNumbers = /\b(?:showLineNumbers|linenums)\b/.test(meta);
  const block = [`${indent}${marker}${language}`, ...lines];
  const name = (title?.[1] ?? title?.[2] ?? '').replaceAll('"', "'");
  if (name === '' && !hasNumbers) return block;
  const attributes = `${name === '' ? '' : ` title="${name}"`}${hasNumbers ? ' lineNumbers="true"' : ''}`;
  return [`${indent}{% code${attributes} %}`, ...block, `${indent}{% endcode %}`];
}
