import pg from 'pg';
import { propertyOf } from './naming.ts';

/** One statement for the driver. With a name, the connection keeps its plan. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name?: string | undefined;
}

type Callback = (error: Error | undefined, result: pg.QueryResult) => void;

/** Properties of the driver's query that are missing in its types. */
const Query = pg.Query as unknown as new (
  statement: Statement,
  callback: Callback,
) => pg.Submittable & { handleRowDescription(message: { fields: { name: string }[] }): void };

/** A query whose rows have property names. Columns are renamed once per result, before the first row. */
class NamedQuery extends Query {
  override handleRowDescription(message: { fields: { name: string }[] }): void {
    for (const field of message.fields) field.name = propertyOf(field.name);
    super.handleRowDescription(message);
  }
}

/** Sends one statement. With `namesRows`, rows have property names, otherwise column names. */
export async function send(client: pg.PoolClient, statement: Statement, namesRows: boolean): Promise<pg.QueryResult> {
  try {
    return await new Promise((resolve, reject) => {
      const query = new (namesRows ? NamedQuery : Query)(statement, (error, result) =>
        error ? reject(error) : resolve(result),
      );
      client.query(query);
    });
  } catch (error) {
    // Shows the stack of the caller instead of that of the socket.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
