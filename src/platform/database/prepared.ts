import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { isStalePlan } from './constraints.ts';
import type { PreparedStatement } from './prepared-query.ts';
import { send, sendAgain } from './send.ts';

/** Maximum number of prepared statements per connection. Others are planned at each use. */
const MAX_STATEMENTS = 500;

/** A connection's prepared statements by their names. Null for those that are planned at each use. */
const statementsOf = new WeakMap<pg.ClientBase, Map<string, PreparedStatement | null>>();

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
  if (statement === undefined && statements.size < MAX_STATEMENTS) {
    statement = { name: key, text };
    statements.set(key, statement);
  }
  if (!statement) return send(client, text, values, namesRows);
  try {
    return await sendKnown(client, statement, values, namesRows);
  } catch (error) {
    if (!isStalePlan(error)) throw error;
    // A migration added a column to a `select *`. From now on, this connection plans the text at each use. Inside a
    // transaction, the statement fails and the command is retried.
    statements.set(key, null);
    return send(client, text, values, namesRows);
  }
}

function statementsIn(client: pg.ClientBase): Map<string, PreparedStatement | null> {
  let statements = statementsOf.get(client);
  if (!statements) {
    statements = new Map();
    statementsOf.set(client, statements);
  }
  return statements;
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
