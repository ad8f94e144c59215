/** Rows of a table, as a JSON array with the names of columns. */
export interface ProcessedRows {
  table: 'openapi_file' | 'openapi_operation' | 'openapi_schema' | 'openapi_part' | 'openapi_change';
  rows: string;
}

/** Length of the JSON of one message, in UTF-16 units. The other thread copies messages in its event loop. */
const MESSAGE = 512 * 1024;

export type Batches = ReturnType<typeof makeBatches>;

/** Collects rows of one table at a time into messages. */
export function makeBatches(post: (message: ProcessedRows) => void) {
  let table: ProcessedRows['table'] = 'openapi_file';
  let rows: string[] = [];
  let length = 0;
  const end = () => {
    if (rows.length > 0) post({ table, rows: `[${rows.join(',')}]` });
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
