import pg from 'pg';
import { onTestFinished } from 'vitest';

/** A statement that the service has sent, with the number of its rows once it has ended. */
export interface SentStatement {
  client: pg.Client;
  text: string;
  values: readonly unknown[];
  rows: number;
}

/** The statements of all connections of this process from now on, until the test ends. */
export function sentStatements(): SentStatement[] {
  const sent: SentStatement[] = [];
  const send = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [query] = given as [string | { text?: string; values?: unknown[] }];
    const { text = '', values = [] } = typeof query === 'string' ? { text: query } : query;
    const statement: SentStatement = { client: this, text, values, rows: 0 };
    sent.push(statement);
    const result = Reflect.apply(send, this, given) as unknown;
    if (result instanceof Promise) {
      result.then(
        ({ rowCount }: { rowCount: number | null }) => {
          statement.rows = rowCount ?? 0;
        },
        () => {},
      );
    }
    return result;
  } as typeof send; // with all of its overloads
  onTestFinished(() => {
    pg.Client.prototype.query = send;
  });
  return sent;
}
