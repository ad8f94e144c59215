import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { isStalePlan } from './constraints.ts';
import type { Connection, PreparedStatement } from './prepared-query.ts';
import { send, sendAgain } from './send.ts';

/** Maximum number of prepared statements per connection. Those that were not used for longest are closed for others. */
const MAX_STATEMENTS = 500;

/** Stands for a statement that is planned at each use. */
const UNPREPARED = Symbol('unprepared');

type Statements = LRUCache<string, PreparedStatement | typeof UNPREPARED>;

/** A connection's prepared statements by their names. */
const statementsOf = new WeakMap<pg.ClientBase, Statements>();

/**
 * Sends a prepared statement, so that PostgreSQL plans each text once per connection: planning the permission query
 * takes longer than running it. Requires sessions with `plan_cache_mode` `force_generic_plan`, since PostgreSQL would
 * otherwise plan again for every list of ids (it assumes ten ids in a list, and prefers a plan for fewer). A proxy that
 * shares connections between transactions must support prepared statements (PgBouncer 1.21 and newer with
 * `max_prepared_statements`).
 */
export async function sendPrepared(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[],
  namesRows: boolean,
  sendKnown: typeof sendAgain = sendAgain,
) {
  const statements = statementsIn(client);
  const key = keyOf(text, namesRows);
  let statement = statements.get(key);
  if (statement === undefined) {
    statement = { name: key, text };
    statements.set(key, statement);
  }
  if (statement === UNPREPARED) return send(client, text, values, namesRows);
  try {
    return await sendKnown(client, statement, values, namesRows);
  } catch (error) {
    if (!isStalePlan(error)) throw error;
    // A migration added a column to a `select *`. From now on, this connection plans the text at each use. Inside a
    // transaction, the statement fails and the command is retried.
    statements.set(key, UNPREPARED);
    return send(client, text, values, namesRows);
  }
}

function statementsIn(client: pg.ClientBase): Statements {
  let statements = statementsOf.get(client);
  if (!statements) {
    statements = new LRUCache({
      max: MAX_STATEMENTS,
      dispose: (statement, name, why) => {
        if (why === 'evict' && statement !== UNPREPARED) close(client, name);
      },
    });
    statementsOf.set(client, statements);
  }
  return statements;
}

/**
 * Has the server forget a statement (PostgreSQL, "Close"). Statements that were sent before still run. It is long since the
 * statement was sent, so that its preparation has been confirmed.
 */
function close(client: pg.ClientBase, name: string): void {
  const { connection } = client as unknown as { connection: Connection }; // missing in its types
  if (connection.parsedStatements[name] === undefined || !connection.stream.writable) return;
  delete connection.parsedStatements[name];
  connection.close({ type: 'S', name }, true);
}

/** Names by text, since hashing a text takes longer than looking it up. */
const keys = new LRUCache<string, string>({ max: 2 * MAX_STATEMENTS });

/** The name of a text with one naming of its rows. PostgreSQL truncates names to 63 bytes. */
function keyOf(text: string, namesRows: boolean): string {
  let name = keys.get(text);
  if (name === undefined) {
    name = hash('sha256', text, 'base64url').slice(0, 32);
    keys.set(text, name);
  }
  return namesRows ? name : `${name}-columns`;
}
