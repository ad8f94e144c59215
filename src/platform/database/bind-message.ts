/** Describe of the unnamed portal, Execute of all its rows, and Sync (PostgreSQL, "Message Formats"). */
const DESCRIBE = Buffer.from([0x44, 0, 0, 0, 6, 0x50, 0]);
const EXECUTE = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0]);
const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);
const ENDS = { run: EXECUTE, runAndEnd: Buffer.concat([EXECUTE, SYNC]) };
const DESCRIBED_ENDS = { run: Buffer.concat([DESCRIBE, EXECUTE]), runAndEnd: Buffer.concat([DESCRIBE, EXECUTE, SYNC]) };

const BIND = 0x42;
/** Bytes of Bind without names and values: type, length, two zero bytes and three counts. */
const FIXED_BYTES = 1 + 4 + 2 + 2 + 2 + 2;
/** Bytes of a value besides its own: its format and its length. */
const VALUE_BYTES = 2 + 4;

/** Their number is sent in two bytes. */
export const MAX_VALUES = 65_535;

/** A value as the driver sends it: text, bytes or null. */
export type WireValue = string | Buffer | null;

/** How a statement is run: `runAndEnd` ends its transaction, which it shares with those that were run since the last end. */
export type Run = keyof typeof ENDS;

/**
 * The messages that run a prepared statement, in one buffer: Bind to the unnamed portal, Describe if the columns are not
 * known yet, Execute and, to end the transaction, Sync.
 */
export function runMessage(name: string, values: readonly WireValue[], isDescribed: boolean, run: Run): Buffer {
  const end = (isDescribed ? ENDS : DESCRIBED_ENDS)[run];
  let size = FIXED_BYTES + Buffer.byteLength(name);
  const lengths = values.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : (value?.length ?? -1)));
  for (const length of lengths) size += VALUE_BYTES + Math.max(0, length);

  const message = Buffer.allocUnsafe(size + end.length);
  let at = message.writeUInt8(BIND, 0);
  at = message.writeInt32BE(size - 1, at);
  at = message.writeUInt8(0, at); // the unnamed portal
  at += message.write(name, at);
  at = message.writeUInt8(0, at);
  at = message.writeUInt16BE(values.length, at);
  for (const value of values) at = message.writeUInt16BE(Buffer.isBuffer(value) ? 1 : 0, at);
  at = message.writeUInt16BE(values.length, at);
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? null;
    at = message.writeInt32BE(lengths[index] ?? -1, at);
    if (typeof value === 'string') at += message.write(value, at);
    else if (value !== null) at += value.copy(message, at);
  }
  at = message.writeUInt16BE(0, at); // results as text
  end.copy(message, at);
  return message;
}
