import { createHash } from 'node:crypto';
import type pg from 'pg';
import { isStalePlan } from './constraints.ts';
import { send } from './send.ts';

/** Maximum number of prepared statements per connection. Others are planned at each use. */
const MAX_STATEMENTS = 500;

/** Names of a connection's prepared statements by text. Undefined for those that are planned at each use. */
type Names = Map<string, string | undefined>;

const namesOf = new WeakMap<pg.PoolClient, Names>();

/**
 * Sends a prepared statement, so that PostgreSQL plans each text once per connection: planning the permission query
 * takes longer than running it. Requires sessions with `plan_cache_mode` `force_generic_plan`, since PostgreSQL would
 * otherwise plan again for every list of ids (it assumes ten ids in a list, and prefers a plan for fewer). A proxy that
 * shares connections between transactions must support prepared statements (PgBouncer 1.21 and newer with
 * `max_prepared_statements`).
 */
export async function sendPrepared(
  client: pg.PoolClient,
  text: string,
  values: readonly unknown[],
  namesRows: boolean,
): Promise<pg.QueryResult> {
  const names = namesIn(client);
  if (!names.has(text) && names.size < MAX_STATEMENTS) names.set(text, nameOf(text));
  const name = names.get(text);
  if (name === undefined) return send(client, { text, values }, namesRows);
  try {
    return await send(client, { text, values, name }, namesRows);
  } catch (error) {
    if (!isStalePlan(error)) throw error;
    // A migration added a column to a `select *`. From now on, this connection plans the text at each use. Inside a
    // transaction, the statement fails and the command is retried.
    names.set(text, undefined);
    return send(client, { text, values }, namesRows);
  }
}

function namesIn(client: pg.PoolClient): Names {
  let names = namesOf.get(client);
  if (!names) {
    names = new Map();
    namesOf.set(client, names);
  }
  return names;
}

/** PostgreSQL truncates names to 63 bytes. */
const nameOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 32);
