import pg from 'pg';
import { propertyOf } from './naming.ts';
import { PreparedQuery, type PreparedStatement, type StatementResult } from './prepared-query.ts';

type Callback = (error: Error | undefined, result: StatementResult) => void;

/** Properties of the driver's query that are missing in its types. */
const Query = pg.Query as unknown as new (
  statement: { text: string; values: readonly unknown[] },
  callback: Callback,
) => pg.Submittable & { handleRowDescription(message: { fields: { name: string }[] }): void };

/** A query whose rows have property names. Columns are renamed once per result, before the first row. */
class NamedQuery extends Query {
  override handleRowDescription(message: { fields: { name: string }[] }): void {
    for (const field of message.fields) field.name = propertyOf(field.name);
    super.handleRowDescription(message);
  }
}

/**
 * Sends one statement that is planned now. With `namesRows`, rows have property names, otherwise column names. A text with
 * several statements has several results.
 */
export const send = (client: pg.ClientBase, text: string, values: readonly unknown[], namesRows: boolean) =>
  submitted(client, (callback) => new (namesRows ? NamedQuery : Query)({ text, values }, callback));

/** Sends a statement that the connection plans at its first use. */
export const sendAgain = (
  client: pg.ClientBase,
  statement: PreparedStatement,
  values: readonly unknown[],
  namesRows: boolean,
) => submitted(client, (callback) => new PreparedQuery(statement, values, namesRows, callback));

async function submitted(
  client: pg.ClientBase,
  queryFor: (callback: Callback) => pg.Submittable,
): Promise<StatementResult | StatementResult[]> {
  try {
    return await new Promise((resolve, reject) => {
      client.query(queryFor((error, result) => (error ? reject(error) : resolve(result))));
    });
  } catch (error) {
    // Shows the stack of the caller instead of that of the socket.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
