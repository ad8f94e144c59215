import { isWrittenByMembers, storedWeight, weigh } from '../../../lib/json-weight.ts';
import { isTickBudgetSpent, makeYielder } from '../../../lib/tick.ts';
import { takeJsonSlot } from './json-slots.ts';

/** Responses below this size take too little memory to count, unless they are queued (`limitResponses`). */
const COUNTED_BYTES = 65_536;
/** Responses up to this size are written at once, in about ten milliseconds. */
const WRITTEN_AT_ONCE_BYTES = 2_097_152;
/** Size of the pieces of longer ones. Longer strings are not divided. */
const PIECE_LENGTH = 65_536;

/** Whether the size of a response counts. Its size is approximate unless it has been written. */
export const isCounted = (body: unknown): boolean => sizeOf(body, COUNTED_BYTES) >= COUNTED_BYTES;

/** Whether a JSON value takes so long to write that the event loop must run meanwhile. */
export const isLong = (value: unknown): boolean => sizeOf(value, WRITTEN_AT_ONCE_BYTES) >= WRITTEN_AT_ONCE_BYTES;

const sizeOf = (body: unknown, max: number): number =>
  typeof body === 'string' || Buffer.isBuffer(body) ? body.length : (storedWeight(body) ?? weigh(body, max));

/**
 * Writes a value like `JSON.stringify`, in UTF-8, while the event loop runs. Values that take longer than a tick wait
 * for `takeJsonSlot`. `onPiece` gets the size of each piece in bytes, and can throw to abort.
 */
export async function writeJson(value: unknown, onPiece: (bytes: number) => void): Promise<Buffer> {
  const yieldTick = makeYielder();
  const pieces: Buffer[] = [];
  const add = (text: string) => {
    const piece = Buffer.from(text);
    onPiece(piece.length);
    pieces.push(piece);
  };
  let slot: Disposable | undefined;
  let text = '';
  try {
    for (const part of partsOf(value)) {
      // Appended to a text, a long part would be copied once more.
      if (part.length >= PIECE_LENGTH) {
        add(text);
        text = '';
        add(part);
      } else {
        text += part;
        if (text.length < PIECE_LENGTH) continue;
        add(text);
        text = '';
      }
      if (!isTickBudgetSpent()) continue;
      slot ??= await takeJsonSlot();
      await yieldTick();
    }
    add(text);
    return Buffer.concat(pieces);
  } finally {
    slot?.[Symbol.dispose]();
  }
}

/** The text of a value, in parts that are written at once unless they are strings. */
function* partsOf(value: unknown): Generator<string, void, undefined> {
  if (weigh(value, PIECE_LENGTH) < PIECE_LENGTH || !(Array.isArray(value) || isWrittenByMembers(value))) {
    yield JSON.stringify(value) ?? 'null';
  } else if (Array.isArray(value)) {
    let separator = '[';
    for (const item of value) {
      yield separator;
      yield* partsOf(item);
      separator = ',';
    }
    yield separator === '[' ? '[]' : ']';
  } else {
    let separator = '{';
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined || typeof member === 'function' || typeof member === 'symbol') continue;
      yield `${separator}${JSON.stringify(name)}:`;
      yield* partsOf(member);
      separator = ',';
    }
    yield separator === '{' ? '{}' : '}';
  }
}
