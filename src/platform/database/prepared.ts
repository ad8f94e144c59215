import { createHash } from 'node:crypto';
import type pg from 'pg';
import { isStalePlan } from './constraints.ts';
import { send } from './send.ts';

/** Plans kept by one connection. Texts beyond that are planned at each use, as without preparation. */
const MAX_STATEMENTS = 500;

/** The names of one connection's prepared statements by their texts; undefined for what is planned at each use. */
type Names = Map<string, string | undefined>;

const namesOf = new WeakMap<pg.PoolClient, Names>();

/**
 * Sends a statement prepared by name, so that PostgreSQL plans each text once per connection: planning the permission walk
 * takes longer than running it. That needs sessions with `plan_cache_mode` `force_generic_plan`, since left to itself
 * PostgreSQL plans anew for every list of ids (it expects ten in one, and finds a plan for fewer cheaper). A proxy that
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
    // A migration added a column to a `select *`: from now on this connection plans the text at each use. Inside a
    // transaction the statement fails once more, and the command starts again.
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

/** PostgreSQL cuts names at 63 bytes. */
const nameOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 32);
