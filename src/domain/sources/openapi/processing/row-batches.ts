import { UnusableSpecification } from '../../../../lib/openapi/fault.ts';

/** Rows of a table, as a JSON array with the names of columns, in UTF-8. */
export interface ProcessedRows {
  table: 'openapi_file' | 'openapi_operation' | 'openapi_schema' | 'openapi_part' | 'openapi_change';
  rows: Uint8Array<ArrayBuffer>;
}

/** Sends a message. The buffers are moved. */
export type PostRows = (message: ProcessedRows) => void;

/** Length of the JSON of one message, in UTF-16 units. Each is one statement. */
const MAX_MESSAGE_CHARACTERS = 512 * 1024;

/**
 * Size of all rows of a version, in bytes. The process that stores them holds all of them in memory. They can be many
 * times as large as their source, since each operation has a copy of the servers and parameters that it inherits, and a
 * list of all that it refers to.
 */
const MAX_BYTES = 100_000_000;

export type Batches = ReturnType<typeof makeBatches>;

/**
 * Collects rows of one table at a time into messages. They are bytes, which are written to the connection as they
 * are. Throws if all of them together are too large.
 */
export function makeBatches(post: PostRows) {
  let table: ProcessedRows['table'] = 'openapi_file';
  let rows: string[] = [];
  let length = 0;
  let total = 0;
  const end = () => {
    if (rows.length > 0) {
      const bytes = new TextEncoder().encode(`[${rows.join(',')}]`);
      total += bytes.length;
      if (total > MAX_BYTES) throw new UnusableSpecification([{ message: TOO_LARGE }]);
      post({ table, rows: bytes });
    }
    rows = [];
    length = 0;
  };
  return {
    add(of: ProcessedRows['table'], row: Record<string, unknown>) {
      const printed = JSON.stringify(row);
      if (of !== table || length + printed.length > MAX_MESSAGE_CHARACTERS) end();
      table = of;
      rows.push(printed);
      length += printed.length;
    },
    end,
  };
}

const TOO_LARGE =
  'The files, operations and schemas take more than 100 MB, with the parameters and servers that each operation inherits, and with all references.';
