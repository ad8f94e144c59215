/** Elements whose end tags are usually left out: open ones say nothing of the depth. */
const SHALLOW = new Set(
  (
    'area base body br col colgroup dd dt embed head hr html img input li link meta option p param rp rt source tbody td tfoot ' +
    'th thead tr track wbr'
  ).split(' '),
);
const RAW = new Set(['script', 'style', 'textarea', 'title', 'template', 'svg', 'math']);
const TAG = /<(\/?)([a-z][a-z0-9]*)/gi;

/**
 * How deep the elements of an HTML text are nested, as far as its tags tell: found in one pass, so that what a parser
 * would need the square of its length for can be refused before.
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

/** Behind the end tag, wherever it is; -1 where there is none. */
function endOf(name: string, html: string, from: number): number {
  const end = new RegExp(`</${name}`, 'gi');
  end.lastIndex = from;
  return end.exec(html) ? end.lastIndex : -1;
}
