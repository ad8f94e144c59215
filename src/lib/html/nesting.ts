/** Elements whose end tags are optional or absent. They do not count. */
const SHALLOW = new Set(
  (
    'area base body br col colgroup dd dt embed head hr html img input li link meta option p param rp rt source tbody td tfoot ' +
    'th thead tr track wbr'
  ).split(' '),
);
const RAW = new Set(['script', 'style', 'textarea', 'title', 'template', 'svg', 'math']);
const TAG = /<(\/?)([a-z][a-z0-9]*)/gi;

/**
 * The nesting depth of HTML by its tags, in linear time. It allows rejecting deeply nested HTML, for which parsers take
 * quadratic time.
 */
export function nestingOf(html: string): number {
  let depth = 0;
  let deepest = 0;
  TAG.lastIndex = 0;
  for (let tag = TAG.exec(html); tag; tag = TAG.exec(html)) {
    const name = (tag[2] ?? '').toLowerCase();
    if (tag[1] === '/') {
      if (!SHALLOW.has(name)) depth = Math.max(0, depth - 1);
      continue;
    }
    if (RAW.has(name)) {
      const end = endOf(name, html, TAG.lastIndex);
      if (end < 0) return Math.max(deepest, depth);
      TAG.lastIndex = end;
    } else if (!SHALLOW.has(name)) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    }
  }
  return deepest;
}

/** The index after the end tag; -1 if there is none. */
function endOf(name: string, html: string, from: number): number {
  const end = new RegExp(`</${name}`, 'gi');
  end.lastIndex = from;
  return end.exec(html) ? end.lastIndex : -1;
}
