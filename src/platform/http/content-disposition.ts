import { MIMEType } from 'node:util';

/**
 * A `Content-Disposition` with a file name, in ASCII for old clients and in UTF-8 for others (RFC 6266, 4.3 and RFC
 * 8187).
 */
export function contentDisposition(type: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${type}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** The file name in a `Content-Disposition`, without directories (RFC 6266, 4.3). Undefined if there is none. */
export function fileNameIn(header: string | undefined): string | undefined {
  const [, extended] = /^utf-8'[^']*'(.*)$/i.exec(parameter(header, 'filename*') ?? '') ?? [];
  const name = (extended && decoded(extended)) || utf8(parameter(header, 'filename'));
  return name?.split(/[/\\]/).at(-1) || undefined;
}

/**
 * After its first word, the header has the syntax of a media type, so that Node's parser for media types can read it.
 */
function parameter(header: string | undefined, name: string): string | undefined {
  try {
    return new MIMEType(`content/${header?.trim()}`).params.get(name) ?? undefined;
  } catch {
    return undefined;
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Node decodes headers as Latin-1, but many clients send UTF-8. */
function utf8(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const text = Buffer.from(header, 'latin1').toString('utf8');
  return text.includes('\uFFFD') ? header : text;
}
