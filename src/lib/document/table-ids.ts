import type { BlockOf, CardsView, GridView, TableData } from './document.ts';

/** New ids for the parts of a table, by their current ids. */
export interface TableNames {
  column: (id: string) => string;
  record: (id: string) => string;
  cell: (record: string, column: string, fragment: string) => string;
  orderIndex: (record: string, orderIndex: string) => string;
  header: (column: string, fragment: string) => string;
}

/** The same table with new ids for its columns, records and cells, replaced wherever they are used. */
export function renameTable(table: BlockOf<'table'>, names: TableNames): BlockOf<'table'> {
  const { data } = table;
  const cells = new Map<string, string>();
  const records = Object.entries(data.records).map(([id, { orderIndex, values }]) => {
    const renamed = Object.entries(values).map(([columnId, value]) => {
      if (data.definition[columnId]?.type !== 'text' || typeof value !== 'string') {
        return [names.column(columnId), value];
      }
      const cell = names.cell(id, columnId, value);
      cells.set(value, cell);
      return [names.column(columnId), cell];
    });
    return [names.record(id), { orderIndex: names.orderIndex(id, orderIndex), values: Object.fromEntries(renamed) }];
  });
  for (const { id, header } of Object.values(data.definition)) {
    if (header !== undefined) cells.set(header, names.header(id, header));
  }
  return {
    ...table,
    data: { ...renameColumns(data, names), records: Object.fromEntries(records) },
    fragments: table.fragments.map((each) => ({ ...each, fragment: cells.get(each.fragment ?? '') ?? each.fragment })),
  };
}

function renameColumns(data: TableData, names: TableNames): TableData {
  const definition = Object.values(data.definition).map((column) => {
    const id = names.column(column.id);
    return [id, { ...column, id, ...(column.header && { header: names.header(column.id, column.header) }) }];
  });
  const renamed: TableData = {
    ...data,
    view: renameView(data.view, names),
    definition: Object.fromEntries(definition),
  };
  if (data.order) renamed.order = data.order.map(names.column);
  if (data.cellMerges) {
    renamed.cellMerges = data.cellMerges.map((merge) => ({
      ...merge,
      anchor: { record: names.record(merge.anchor.record), column: names.column(merge.anchor.column) },
    }));
  }
  return renamed;
}

function renameView(view: GridView | CardsView, { column }: TableNames): GridView | CardsView {
  const columns = view.columns.map(column);
  if (view.type === 'grid') {
    const widths = Object.entries(view.columnWidths ?? {}).map(([id, width]) => [column(id), width]);
    return { ...view, columns, ...(view.columnWidths && { columnWidths: Object.fromEntries(widths) }) };
  }
  const renamed: CardsView = { ...view, columns };
  for (const role of ['targetDefinition', 'coverDefinition', 'coverDefinitionDark'] as const) {
    const id = view[role];
    if (id !== undefined) renamed[role] = column(id);
  }
  return renamed;
}
