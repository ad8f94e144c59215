import type { Socket } from 'node:net';
import type pg from 'pg';

/** Bytes that are written in one turn of the event loop, unless a message is that short. */
const SLICE = 128 * 1_024;

type Write = [bytes: Buffer, ...rest: unknown[]];

/**
 * Makes a connection write long messages in slices, each in a turn of the event loop of its own. The system passes what is
 * written to a server on the same machine before the call returns, which takes ten milliseconds for each megabyte.
 */
export function writeInSlices(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection; // missing in its types
  const write = stream.write.bind(stream) as (...args: Write) => boolean;
  const waiting: Write[] = [];
  const writeNext = () => {
    const [next] = waiting;
    if (!next || !stream.writable) {
      waiting.length = 0; // the driver fails all queries when the connection closes
      return;
    }
    const [bytes, ...rest] = next;
    if (bytes.length > SLICE) {
      write(bytes.subarray(0, SLICE));
      next[0] = bytes.subarray(SLICE);
    } else {
      write(bytes, ...rest);
      waiting.shift();
    }
    if (waiting.length > 0) setImmediate(writeNext);
  };
  stream.write = (...args: unknown[]) => {
    const given = args as Write; // the driver writes buffers only
    if (waiting.length === 0 && given[0].length <= SLICE) return write(...given);
    waiting.push(given);
    if (waiting.length === 1) writeNext();
    return true;
  };
}
