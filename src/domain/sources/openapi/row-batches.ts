/** Rows of a table, as a JSON array with the names of columns, in UTF-8. */
export interface ProcessedRows {
  table: 'openapi_file' | 'openapi_operation' | 'openapi_schema' | 'openapi_part' | 'openapi_change';
  rows: Uint8Array<ArrayBuffer>;
}

/** Sends a message. The buffers are moved. */
export type PostRows = (message: ProcessedRows) => void;

/** Length of the JSON of one message, in UTF-16 units. Each is one statement. */
const MESSAGE = 512 * 1024;

export type Batches = ReturnType<typeof makeBatches>;

/**
 * Collects rows of one table at a time into messages. They are bytes, which are written to the connection as they
 * are.
 */
export function makeBatches(post: PostRows) {
  let table: ProcessedRows['table'] = 'openapi_file';
  let rows: string[] = [];
  let length = 0;
  const end = () => {
    if (rows.length > 0) {
      const bytes = new TextEncoder().encode(`[${rows.join(',')}]`);
      post({ table, rows: bytes });
    }
    rows = [];
    length = 0;
  };
  return {
    add(of: ProcessedRows['table'], row: Record<string, unknown>) {
      const printed = JSON.stringify(row);
      if (of !== table || length + printed.length > MESSAGE) end();
      table = of;
      rows.push(printed);
      length += printed.length;
    },
    end,
  };
}
