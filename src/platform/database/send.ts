import pg from 'pg';
import { propertyOf } from './naming.ts';

/** One statement as the driver takes it; a name makes the connection keep its plan. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name?: string | undefined;
}

type Callback = (error: Error | undefined, result: pg.QueryResult) => void;

/** Members of the driver's query that its types leave out. */
const Query = pg.Query as unknown as new (
  statement: Statement,
  callback: Callback,
) => pg.Submittable & { handleRowDescription(message: { fields: { name: string }[] }): void };

/** A query whose rows have the names of properties: columns are renamed once in a result, before the first row is read. */
class NamedQuery extends Query {
  override handleRowDescription(message: { fields: { name: string }[] }): void {
    for (const field of message.fields) field.name = propertyOf(field.name);
    super.handleRowDescription(message);
  }
}

/** Sends one statement; `namesRows` reads its rows by the names of properties, else they have those of columns. */
export async function send(client: pg.PoolClient, statement: Statement, namesRows: boolean): Promise<pg.QueryResult> {
  try {
    return await new Promise((resolve, reject) => {
      const query = new (namesRows ? NamedQuery : Query)(statement, (error, result) =>
        error ? reject(error) : resolve(result),
      );
      client.query(query);
    });
  } catch (error) {
    // The stack that led here, in place of that of the socket.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
