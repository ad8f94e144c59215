import { imageSize } from 'image-size';
import sax from 'sax';
import { ATTRIBUTES, ELEMENTS } from './svg-vocabulary.ts';

interface Element {
  name: string;
  attributes: [name: string, value: string][];
  children: (Element | string)[];
}

/** Limits for one image. An image that exceeds any of them is not printed. */
const MAX_SVG_CHARACTERS = 500_000;
const MAX_ELEMENTS = 20_000;
const MAX_DEPTH = 100;
/** Maximum number of elements that are drawn after resolving all references (`use`, patterns, masks, markers). */
const MAX_DRAWN = 50_000;
/** Maximum number of pixels of all embedded images together. */
const MAX_PIXELS = 4_000_000;

// The parser bounds names and attributes to 64 kB otherwise, which paths and embedded images exceed.
Object.assign(sax, { MAX_BUFFER_LENGTH: Number.POSITIVE_INFINITY });

/**
 * Reduces an SVG image to an allow-list of elements and attributes, as well-formed XML without a document type,
 * entities, comments or processing instructions. The only remaining references are those to its own elements (`#id`)
 * and to embedded images (PNG or JPEG as base64 in `data:` URLs). Undefined if the text is not well-formed XML with the
 * root `svg`, or exceeds a limit.
 */
export function sanitizeSvg(text: string): string | undefined {
  if (text.length > MAX_SVG_CHARACTERS) return undefined;
  const root = parse(text);
  return root && isDrawable(root) ? write(root) : undefined;
}

function parse(text: string): Element | undefined {
  const parser = sax.parser(true, { position: false });
  const open: (Element | undefined)[] = [];
  const isAllowed = embeddedImages();
  let [root, count, isBroken]: [Element | undefined, number, boolean] = [undefined, 0, false];
  const append = (child: Element | string) => open.at(-1)?.children.push(child);
  parser.onopentag = ({ name: qualified, attributes }) => {
    const name = qualified.replace(/^svg:/, '');
    const isKept = ELEMENTS.has(name) && (open.length === 0 ? name === 'svg' : open.at(-1) !== undefined);
    count += 1;
    isBroken ||= open.length >= MAX_DEPTH || count > MAX_ELEMENTS;
    const rawAttributes = attributes as Record<string, string>; // they are objects only with namespaces
    const element: Element | undefined = isKept
      ? { name, attributes: attributesOf(name, rawAttributes, isAllowed), children: [] }
      : undefined;
    if (element && open.length > 0) append(element);
    if (open.length === 0) root = element;
    open.push(element);
  };
  parser.onclosetag = () => void open.pop();
  parser.ontext = append;
  parser.oncdata = append;
  parser.onerror = ({ message }) => {
    // Unknown entities are kept as text. Any other error means that the text is not XML.
    if (!message.startsWith('Invalid character entity')) isBroken = true;
    parser.resume();
  };
  for (let at = 0; at < text.length && !isBroken; at += CHUNK_CHARACTERS)
    parser.write(text.slice(at, at + CHUNK_CHARACTERS));
  if (!isBroken) parser.close();
  return isBroken ? undefined : root;
}

/** Characters that are parsed between checks of the limits. */
const CHUNK_CHARACTERS = 16_384;

function attributesOf(
  element: string,
  attributes: Record<string, string>,
  isAllowedImage: (value: string) => boolean,
): Element['attributes'] {
  return Object.entries(attributes).flatMap(([name, value]): Element['attributes'] => {
    if (name === 'href' || name === 'xlink:href') {
      const reference = value.replace(/\s+/g, '');
      if (element === 'image') return isAllowedImage(reference) ? [['xlink:href', reference]] : [];
      return LOCAL.test(reference) && element !== 'a' ? [['xlink:href', reference]] : [];
    }
    return ATTRIBUTES.has(name) && isLocalStyle(value) ? [[name, value]] : [];
  });
}

const LOCAL = /^#[^\s#"'()\\]{1,200}$/;

const LOCAL_URL = /url\(["']?#([^\s#"'()\\]{1,200})["']?\)/g;

/**
 * Whether a CSS value only refers to elements of the same image. Escapes are rejected, because they could hide
 * references.
 */
const isLocalStyle = (value: string) =>
  !value.includes('\\') && (value.match(/url/gi)?.length ?? 0) === (value.match(LOCAL_URL)?.length ?? 0);

/** Whether an embedded image is a PNG or JPEG within the pixel limit of the whole image. */
function embeddedImages(): (value: string) => boolean {
  let remaining = MAX_PIXELS;
  return (value) => {
    const [, type, base64 = ''] = /^data:image\/(png|jpe?g);base64,([A-Za-z0-9+/]+={0,2})$/.exec(value) ?? [];
    if (type === undefined) return false;
    try {
      const { width, height, type: format } = imageSize(Buffer.from(base64, 'base64'));
      remaining -= width * height;
      return remaining >= 0 && (format === 'png') === (type === 'png') && (format === 'png' || format === 'jpg');
    } catch {
      return false;
    }
  };
}

/**
 * Whether resolving all references draws a bounded number of elements and no element contains itself. Style sheets
 * cannot contain references, so checking attributes is sufficient.
 */
function isDrawable(root: Element): boolean {
  const byId = new Map<string, Element>();
  const collect = (element: Element) => {
    for (const [name, value] of element.attributes) if (name === 'id' && !byId.has(value)) byId.set(value, element);
    for (const child of element.children) if (typeof child !== 'string') collect(child);
  };
  collect(root);
  const sums = new Map<Element, Drawn>();
  const drawn = (element: Element, depth: number): Drawn => {
    const before = sums.get(element);
    if (before !== undefined) return before;
    if (depth > MAX_DEPTH) return ENDLESS;
    sums.set(element, ENDLESS); // what contains itself
    const sum = { elements: 1, points: pointsOf(element) };
    const references = referencesOf(element);
    const used = references.flatMap(({ id, isUse }) => (isUse ? (byId.get(id) ?? []) : []));
    for (const inner of [...element.children.filter((child) => typeof child !== 'string'), ...used]) {
      const { elements, points } = drawn(inner, depth + 1);
      sum.elements += elements;
      sum.points += points;
    }
    const { elements: inside, points } = sum;
    for (const { id, isUse, isInherited } of references) {
      const target = isUse ? undefined : byId.get(id);
      if (!target) continue;
      // A marker is drawn at every point, and an inherited pattern for every element. Gradients are drawn once.
      const times = target.name === 'marker' ? points : target.name === 'pattern' && isInherited ? inside : 1;
      sum.elements += times * drawn(target, depth + 1).elements;
    }
    sums.set(element, sum);
    return sum;
  };
  return drawn(root, 0).elements <= MAX_DRAWN;
}

/** What an element draws, with what it contains and uses. */
interface Drawn {
  elements: number;
  points: number;
}

const ENDLESS: Drawn = { elements: Number.POSITIVE_INFINITY, points: Number.POSITIVE_INFINITY };

/** Attributes that apply to all elements inside as well. */
const INHERITED = new Set(['fill', 'stroke', 'marker', 'marker-start', 'marker-mid', 'marker-end', 'style']);

/** The number of points of a path or a polygon, at most: a point takes at least two characters. */
const pointsOf = ({ attributes }: Element): number =>
  attributes.reduce((sum, [name, value]) => (POINTS.has(name) ? sum + value.length / 2 : sum), 1);

interface Reference {
  id: string;
  /** Whether the target is drawn in the place of the element. */
  isUse: boolean;
  isInherited: boolean;
}

const referencesOf = ({ attributes }: Element): Reference[] =>
  attributes.flatMap(([name, value]): Reference[] => {
    if (name === 'xlink:href')
      return value.startsWith('#') ? [{ id: value.slice(1), isUse: true, isInherited: false }] : [];
    const isInherited = INHERITED.has(name);
    return [...value.matchAll(LOCAL_URL)].map(([, id = '']) => ({ id, isUse: false, isInherited }));
  });

const POINTS = new Set(['d', 'points']);

const NAMESPACES = ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

function write(element: Element, namespaces = NAMESPACES): string {
  const { name, children } = element;
  const attributes = element.attributes.map(([key, value]) => ` ${key}="${escaped(value)}"`).join('');
  return `<${name}${namespaces}${attributes}>${contentOf(name, children)}</${name}>`;
}

function contentOf(name: string, children: Element['children']): string {
  if (name !== 'style')
    return children.map((each) => (typeof each === 'string' ? escaped(each) : write(each, ''))).join('');
  const css = children.filter((each) => typeof each === 'string').join('');
  return css.length <= MAX_STYLE && !/[@\\]|url/i.test(css) ? escaped(css) : '';
}

/** The printer matches all rules against every element. */
const MAX_STYLE = 20_000;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
