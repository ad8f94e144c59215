import sax from 'sax';
import { makeYielder } from '../tick.ts';
import { ExchangeError } from './exchange-unit.ts';

/** An element of XML, without namespaces. */
export interface XmlElement {
  name: string;
  namespace: string;
  attributes: Readonly<Record<string, string>>;
  children: (XmlElement | string)[];
}

/** Functions that are called with the elements of a file, in order. */
export interface XmlHandler {
  /** Names of elements that are read with all that they contain. */
  readonly wholeElements: ReadonlySet<string>;
  /** Another element begins. */
  opened(element: XmlElement): void;
  /** An element with its content ends. */
  ended(element: XmlElement): void;
}

const CHUNK_CHARACTERS = 8_192;
const MAX_DEPTH = 50;
/** The parser looks for each attribute among those before it. */
const MAX_ATTRIBUTES = 100;
/** Limits of an element that is read with all that it contains, which is handled at once. */
const MAX_INSIDE = 10_000;
const MAX_CHARACTERS = 1_000_000;
/** Maximum number of such elements in a file. */
const MAX_WHOLE = 250_000;

/**
 * Reads XML in time linear in its length, with pauses. Entities other than the five of XML and character references are
 * errors, and so is a document type declaration with declarations of its own; one that names an external file is
 * ignored, and the file is not read. An element has up to 100 attributes, a file up to 250,000 elements that are read
 * whole, and each of them up to 10,000 elements and 1,000,000 characters. Throws an `ExchangeError` with the line of
 * the fault.
 */
export async function readXml(bytes: Uint8Array, handler: XmlHandler): Promise<void> {
  const xml = textOf(bytes);
  rejectControlCharacters(xml);
  const parser = sax.parser(true, OPTIONS);
  const fail = (message: string): never => {
    throw new ExchangeError(`Line ${parser.line + 1}: ${message}`);
  };
  handle(parser, handler, fail);
  // Missing in the types: the attributes of the element that is being read.
  const { attribList } = parser as unknown as { attribList: unknown[] };
  const pause = makeYielder();
  for (let start = 0; start < xml.length; start += CHUNK_CHARACTERS) {
    parser.write(xml.slice(start, start + CHUNK_CHARACTERS));
    if (attribList.length > MAX_ATTRIBUTES) fail(TOO_MANY_ATTRIBUTES);
    await pause();
  }
  parser.close();
}

/** `strictEntities` is missing in the types: without it, entities of HTML are read too, which XML does not have. */
const OPTIONS = { xmlns: true, strictEntities: true };

/** The parser takes them for text. XML has none of them, even as character references (XML 1.0, section 2.2). */
function rejectControlCharacters(xml: string): void {
  const at = xml.search(NO_XML);
  if (at < 0) return;
  const code = xml.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  throw new ExchangeError(`Line ${xml.slice(0, at).split('\n').length}: XML has no character U+${code}. Remove it.`);
}

const TOO_MANY_ATTRIBUTES = `Elements have up to ${MAX_ATTRIBUTES} attributes.`;

function handle(parser: sax.SAXParser, handler: XmlHandler, fail: (message: string) => never): void {
  const open: XmlElement[] = [];
  let [depth, isEmpty] = [0, true];
  let [count, inside, characters] = [0, 0, 0];
  const begin = ({ name }: XmlElement) => {
    count += 1;
    [inside, characters] = [0, 0];
    if (count > MAX_WHOLE) fail(`The file has more than ${MAX_WHOLE} elements "${name}". Split it.`);
  };
  parser.onerror = ({ message }) => fail(message.split('\n')[0] ?? 'This is not XML.');
  parser.ondoctype = (doctype) => {
    if (doctype.includes('['))
      fail('The document type declaration must not contain declarations. Remove them from the file.');
  };
  parser.onopentag = (tag) => {
    const element = elementOf(tag as sax.QualifiedTag); // with namespaces
    [depth, isEmpty] = [depth + 1, false];
    if (depth > MAX_DEPTH) fail(`Elements are nested more than ${MAX_DEPTH} times.`);
    if (Object.keys(element.attributes).length > MAX_ATTRIBUTES) fail(TOO_MANY_ATTRIBUTES);
    if (open.length > 0 || handler.wholeElements.has(element.name)) {
      if (open.length === 0) begin(element);
      inside += 1;
      if (inside > MAX_INSIDE) fail(`"${open[0]?.name}" contains more than ${MAX_INSIDE} elements.`);
      open.at(-1)?.children.push(element);
      open.push(element);
    } else handler.opened(element);
  };
  parser.onclosetag = () => {
    depth -= 1;
    const element = open.pop();
    if (element && open.length === 0) handler.ended(element);
  };
  const append = (value: string) => {
    characters += value.length;
    if (open[0] && characters > MAX_CHARACTERS) fail(`"${open[0].name}" has more than ${MAX_CHARACTERS} characters.`);
    open.at(-1)?.children.push(value);
  };
  parser.ontext = append;
  parser.oncdata = append;
  parser.onend = () => {
    if (isEmpty) fail('The file has no elements.');
  };
}

const elementOf = ({ local, uri, attributes }: sax.QualifiedTag): XmlElement => ({
  name: local,
  namespace: uri,
  attributes: Object.fromEntries(Object.entries(attributes).map(([name, { value }]) => [name, value])),
  children: [],
});

/** The text of a file in UTF-8, or in UTF-16 with a byte order mark. */
function textOf(bytes: Uint8Array): string {
  const mark = `${bytes[0]} ${bytes[1]}`;
  const encoding = { '255 254': 'utf-16le', '254 255': 'utf-16be' }[mark] ?? 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new ExchangeError(`The file is not ${encoding.toUpperCase()} text.`);
  }
}

/** Text without the characters that XML does not have. */
export const xmlText = (value: string): string => value.replace(NO_XML, '');

/** Text as it is written between tags and in attributes. Characters that XML does not have are left out. */
export const escapeXml = (value: string): string =>
  xmlText(value).replace(/[&<>"\r]/g, (character) => ESCAPED[character] ?? character);

/** Control characters, and halves of surrogate pairs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' };
