const SNIFFED_BYTES = 1_024;

/**
 * Decodes an HTML file by the encoding of its byte order mark, of the `Content-Type` header or of a `meta` element
 * (WHATWG Encoding, "Names and labels"). The default is UTF-8.
 */
export function decodeHtml(bytes: Uint8Array, contentType = ''): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, SNIFFED_BYTES));
  const label =
    /charset=["']?([\w:.-]+)/i.exec(contentType)?.[1] ?? /<meta[^>]+charset=["']?([\w:.-]+)/i.exec(head)?.[1];
  return (decoderFor(marked(bytes) ?? label) ?? new TextDecoder()).decode(bytes);
}

function marked(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined;
}

function decoderFor(label: string | undefined): TextDecoder | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label);
  } catch {
    return undefined;
  }
}
