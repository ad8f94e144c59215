import type pg from 'pg';
import { Parser } from 'pg-protocol/dist/parser.js';

/** Position and length of a row in a chunk of the stream. Valid only until the driver has handled the message. */
export interface DataRow {
  readonly name: 'dataRow';
  readonly bytes: Buffer;
  /** Where the number of columns is. The values follow, each after its length. */
  readonly start: number;
  /** The values in PostgreSQL's text format. For queries of the driver. */
  readonly fields: (string | null)[];
}

/** Code of the message "DataRow" ("Message Formats"). */
const DATA_ROW = 0x44;

const NOTHING = Buffer.alloc(0);

/**
 * The row of the current message. One object serves all rows of a connection: the driver would make an array of texts for
 * each, of which most are copied into the row that the statement makes.
 */
class CurrentRow implements DataRow {
  readonly name = 'dataRow';
  length = 0;
  bytes: Buffer = NOTHING;
  start = 0;

  get fields(): (string | null)[] {
    const { bytes } = this;
    const fields: (string | null)[] = [];
    let at = this.start + 2;
    for (let count = bytes.readInt16BE(this.start); count > 0; count--) {
      const length = bytes.readInt32BE(at);
      at += 4;
      fields.push(length === -1 ? null : bytes.toString('utf8', at, at + length));
      if (length > 0) at += length;
    }
    return fields;
  }
}

/** Methods of the driver's parser that are missing in its types. */
interface MessageParser {
  parse(chunk: Buffer, onMessage: (message: { name: string }) => void): void;
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): { name: string };
}

const DriverParser = Parser as unknown as new () => MessageParser;

/** The driver's parser, except that it leaves rows in their bytes. */
class RowParser extends DriverParser {
  readonly #row = new CurrentRow();

  override parse(chunk: Buffer, onMessage: (message: { name: string }) => void): void {
    super.parse(chunk, onMessage);
    this.#row.bytes = NOTHING;
  }

  override handlePacket(offset: number, code: number, length: number, bytes: Buffer): { name: string } {
    if (code !== DATA_ROW) return super.handlePacket(offset, code, length, bytes);
    this.#row.bytes = bytes;
    this.#row.start = offset;
    this.#row.length = length;
    return this.#row;
  }
}

/** Properties of the driver's connection that are missing in its types. */
type Listening = pg.Connection & {
  attachListeners(stream: NodeJS.ReadableStream): void;
  _emitMessage: boolean;
};

/** Makes a connection that is not open yet emit rows as `DataRow`. */
export function leaveRowsInBytes(connection: pg.Connection): void {
  const listening = connection as Listening;
  listening.attachListeners = (stream) => {
    const parser = new RowParser();
    const onMessage = (message: { name: string }) => {
      if (listening._emitMessage) listening.emit('message', message);
      listening.emit(message.name === 'error' ? 'errorMessage' : message.name, message);
    };
    stream.on('data', (chunk: Buffer) => parser.parse(chunk, onMessage));
  };
}
