import { block, textNode } from '../../build.ts';
import type { Block, BlockOf } from '../../document.ts';
import { decodeEntities } from '../entities.ts';
import type { Item, MarkupElement } from './item.ts';
import { codeData } from './read-code.ts';
import { childNamed } from './read-image-element.ts';

/** A piece of code, and whether it is marked. */
type Piece = [source: string, isMarked: boolean];

/**
 * `<pre>`, with the language of `class="language-…"` on it or on its `<code>`, and settings of code blocks in `data-`
 * attributes. GitBook writes code blocks with marked words in this form, with `<strong>` around the lines of them.
 */
export function readPre(element: MarkupElement): Block {
  const code = childNamed(element, 'code');
  const names = [code, element].map((each) => each?.attributes.get('class') ?? '').join(' ');
  const syntax = /(?:^|\s)language-(\S+)/.exec(names)?.[1];
  const settings = new Map(
    [...element.attributes].flatMap(([name, value]): [string, string][] =>
      name.startsWith('data-') ? [[camelCase(name.slice(5)), value]] : [],
    ),
  );
  const data = { ...(syntax !== undefined && { syntax }), ...codeData(settings) };
  return block('code', { data, nodes: linesOf(piecesOf(element.items, false)) });
}

const camelCase = (name: string) => {
  const joined = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return settingNames.get(joined.toLowerCase()) ?? joined;
};

/** HTML attributes have no upper case. */
const settingNames: ReadonlyMap<string, string> = new Map(
  ['lineNumbers', 'fullWidth', 'collapsedLineCount'].map((name) => [name.toLowerCase(), name]),
);

/** The text in the elements, with original white space and references. */
function piecesOf(items: readonly Item[], isMarked: boolean): Piece[] {
  return items.flatMap((item): Piece[] => {
    if (item.kind === 'text') return [[item.source, isMarked]];
    if (item.kind !== 'element') return [];
    if (item.name === 'br') return [['\n', isMarked]];
    return piecesOf(item.items, isMarked || item.name === 'strong' || item.name === 'mark');
  });
}

/** The lines of the pieces. A line that begins marked is highlighted. */
function linesOf(pieces: readonly Piece[]): BlockOf<'code-line'>[] {
  const source = pieces.map(([part]) => part).join('');
  const skipped = source.startsWith('\n') ? 1 : 0;
  const end = source.length - (source.length > skipped && source.endsWith('\n') ? 1 : 0);
  const lines: { value: string; isMarked: boolean }[] = [{ value: '', isMarked: false }];
  let at = 0;
  for (const [part, isMarked] of pieces) {
    const inside = decodeEntities(part.slice(Math.max(0, skipped - at), Math.max(0, end - at)));
    at += part.length;
    for (const [i, value] of inside.split('\n').entries()) {
      if (i > 0) lines.push({ value: '', isMarked: false });
      const line = lines.at(-1);
      if (!line || value === '') continue;
      if (line.value.trim() === '') line.isMarked = isMarked;
      line.value += value;
    }
  }
  return lines.map(({ value, isMarked }) =>
    block('code-line', { data: isMarked ? { highlighted: true } : {}, nodes: [textNode(value)] }),
  );
}
