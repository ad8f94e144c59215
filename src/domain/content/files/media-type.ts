/** The media type of unrecognized bytes (RFC 2046, 4.5.1). */
const UNKNOWN_TYPE = 'application/octet-stream';
const TEXT = 'text/plain';
const HTML = 'text/html';
const XML = 'application/xml';
const SVG = 'image/svg+xml';
const MARKDOWN = 'text/markdown';
const ZIP = 'application/zip';

/**
 * Detects the media type from the first bytes of a file: images, video, audio, documents, archives, fonts, HTML, SVG
 * and XML. Other UTF-8 text is `text/plain`, and everything else is `application/octet-stream`.
 */
export function mediaTypeOf(head: Uint8Array): string {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const match = SIGNATURES.find(([, ...parts]) => parts.every(([at, text]) => hasAt(bytes, at, text)));
  if (match) return match[0];
  const text = textIn(bytes);
  return text === undefined ? UNKNOWN_TYPE : (markupType(text) ?? TEXT);
}

/**
 * Refines a detected media type by the extension of the file name. The name can only distinguish types of text, of ZIP
 * archives and of unrecognized files; it never turns text into an image.
 */
export function namedMediaType(proven: string, name: string): string {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const kinds = BY_EXTENSION[proven] ?? {};
  return Object.hasOwn(kinds, extension) ? (kinds[extension] ?? proven) : proven;
}

/** Latin-1 text at byte offsets. The first signature with all parts present determines the type. */
type Signature = [type: string, ...parts: [at: number, text: string][]];

/** From WHATWG MIME Sniffing, section 6, and the specifications of the formats. */
const SIGNATURES: Signature[] = [
  ['image/png', [0, '\x89PNG\r\n\x1a\n']],
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/gif', [0, 'GIF87a']],
  ['image/gif', [0, 'GIF89a']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBPVP']],
  ['image/avif', [4, 'ftypavif']],
  ['image/avif', [4, 'ftypavis']],
  ['image/heic', [4, 'ftyphei']],
  ['image/heif', [4, 'ftypmif1']],
  ['image/tiff', [0, 'II*\0']],
  ['image/tiff', [0, 'MM\0*']],
  ['image/bmp', [0, 'BM'], [6, '\0\0\0\0']],
  ['image/x-icon', [0, '\0\0\x01\0']],
  ['video/quicktime', [4, 'ftypqt  ']],
  ['audio/mp4', [4, 'ftypM4A']],
  ['video/mp4', [4, 'ftyp']],
  ['video/webm', [0, '\x1a\x45\xdf\xa3']],
  ['video/x-msvideo', [0, 'RIFF'], [8, 'AVI ']],
  ['audio/wav', [0, 'RIFF'], [8, 'WAVE']],
  ['audio/ogg', [0, 'OggS\0'], [28, '\x01vorbis']],
  ['audio/ogg', [0, 'OggS\0'], [28, 'OpusHead']],
  ['video/ogg', [0, 'OggS\0']],
  ['audio/flac', [0, 'fLaC']],
  ['audio/mpeg', [0, 'ID3']],
  ['audio/mpeg', [0, '\xff\xfb']],
  ['audio/mpeg', [0, '\xff\xf3']],
  ['application/pdf', [0, '%PDF-']],
  [ZIP, [0, 'PK\x03\x04']],
  [ZIP, [0, 'PK\x05\x06']],
  ['application/gzip', [0, '\x1f\x8b\x08']],
  ['application/x-7z-compressed', [0, "7z\xbc\xaf'\x1c"]],
  ['font/woff', [0, 'wOFF']],
  ['font/woff2', [0, 'wOF2']],
  ['font/otf', [0, 'OTTO\0']],
  ['font/ttf', [0, '\0\x01\0\0\0']],
];

const OFFICE = 'application/vnd.openxmlformats-officedocument';

const BY_EXTENSION: Record<string, Record<string, string>> = {
  [TEXT]: {
    md: MARKDOWN,
    markdown: MARKDOWN,
    css: 'text/css',
    csv: 'text/csv',
    htm: HTML,
    html: HTML,
    ics: 'text/calendar',
    js: 'text/javascript',
    mjs: 'text/javascript',
    json: 'application/json',
    toml: 'application/toml',
    xml: XML,
    yaml: 'application/yaml',
    yml: 'application/yaml',
  },
  // Markdown often starts with a heading or an image in HTML.
  [HTML]: { md: MARKDOWN, markdown: MARKDOWN },
  [XML]: { svg: SVG },
  [ZIP]: {
    docx: `${OFFICE}.wordprocessingml.document`,
    pptx: `${OFFICE}.presentationml.presentation`,
    xlsx: `${OFFICE}.spreadsheetml.sheet`,
    epub: 'application/epub+zip',
    odt: 'application/vnd.oasis.opendocument.text',
    ods: 'application/vnd.oasis.opendocument.spreadsheet',
    odp: 'application/vnd.oasis.opendocument.presentation',
  },
  [UNKNOWN_TYPE]: { tar: 'application/x-tar', wasm: 'application/wasm' },
};

const hasAt = (bytes: Buffer, at: number, text: string) => bytes.toString('latin1', at, at + text.length) === text;

/** Binary data bytes (WHATWG MIME Sniffing, section 3). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const BINARY = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

/** Decodes UTF-8 without a byte order mark. The last character may be incomplete. */
function textIn(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return BINARY.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

const HTML_START =
  /^<(?:!doctype html|(?:html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)(?=[\s>]))/i;

function markupType(text: string): string | undefined {
  const start = text.trimStart();
  if (HTML_START.test(start)) return HTML;
  const root = afterProlog(start);
  if (/^<(?:[\w-]+:)?svg[\s/>]/i.test(root)) return SVG;
  if (HTML_START.test(root)) return HTML;
  return start.startsWith('<?xml') ? XML : undefined;
}

/** Constructs that may precede the root element of an XML document, with their start and end (XML 1.0, 2.8). */
const PROLOG: [start: RegExp, end: string][] = [
  [/^<\?/, '?>'],
  [/^<!--/, '-->'],
  [/^<!doctype[^>[]*\[/i, ']>'],
  [/^<!doctype/i, '>'],
];

function afterProlog(text: string): string {
  let rest = text;
  for (;;) {
    const part = PROLOG.find(([start]) => start.test(rest));
    if (!part) return rest;
    const end = rest.indexOf(part[1]);
    if (end === -1) return '';
    rest = rest.slice(end + part[1].length).trimStart();
  }
}
