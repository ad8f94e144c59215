import type { MarkupElement } from './item.ts';

/** Elements that have a counterpart in documents. */
const read =
  'a b blockquote br button code col colgroup caption del details em figcaption figure h1 h2 h3 h4 h5 h6 hr i iframe img ' +
  'input kbd li mark ol option p picture pre s select source span strike strong sub summary sup table tbody td tfoot th ' +
  'thead tr ul ' +
  'video';

/** Elements that are replaced by their content. */
const transparent =
  'abbr address article aside bdi bdo big center cite data dd dfn div dl dt fieldset font footer form header ins label ' +
  'legend main nav nobr q rp rt ruby samp section small time tt u var wbr';

const knownNames = new Set(`${read} ${transparent}`.split(' '));

export function isKnownHtml(name: string): boolean {
  return knownNames.has(name);
}

/** Elements with an optional closing tag, with the elements whose opening tag ends them (HTML 13.1.2.4). */
export const endedBy: ReadonlyMap<string, readonly string[]> = new Map([
  ['li', ['li']],
  ['p', ['p']],
  ['dt', ['dt', 'dd']],
  ['dd', ['dt', 'dd']],
  ['td', ['td', 'th', 'tr', 'tbody', 'tfoot']],
  ['th', ['td', 'th', 'tr', 'tbody', 'tfoot']],
  ['tr', ['tr', 'tbody', 'tfoot']],
  ['thead', ['tbody', 'tfoot']],
  ['tbody', ['tbody', 'tfoot']],
]);

const blockNames = new Set(
  (
    'address article aside blockquote center dd details div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr ' +
    'iframe legend li main nav ol p pre section summary table tbody td tfoot th thead tr ul video'
  ).split(' '),
);

/** Whether a browser shows the element, or one in it, on a new line. */
export function isBlockElement(element: MarkupElement): boolean {
  if (element.name.startsWith('%') || blockNames.has(element.name)) return true;
  return element.items.some((item) => item.kind === 'element' && isBlockElement(item));
}
