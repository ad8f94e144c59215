/** The end of a list of lines. */
export const FLUSH = Buffer.from('0000');

/** A line with its length in front of it (gitprotocol-common, "pkt-line Format"). */
export const pktLine = (text: string): Buffer =>
  Buffer.from(`${(Buffer.byteLength(text) + 4).toString(16).padStart(4, '0')}${text}`);

/** The lines of a stream, and null for each flush. Throws `MalformedLines` for anything else. */
export function* readPktLines(bytes: Buffer): Generator<Buffer | null> {
  for (let at = 0; at < bytes.length; ) {
    const digits = bytes.toString('latin1', at, at + 4);
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
    if (!(length <= bytes.length - at)) throw new MalformedLines();
    if (length > 4) yield bytes.subarray(at + 4, at + length);
    else if (length === 0) yield null;
    at += Math.max(4, length);
  }
}

export class MalformedLines extends Error {
  override name = 'MalformedLines';
}
