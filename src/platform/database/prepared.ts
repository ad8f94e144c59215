import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { isStalePlan } from './constraints.ts';

/** Plans kept by one connection. Texts beyond that are planned at each use, as without preparation. */
const MAX_STATEMENTS = 500;

/**
 * Makes the connections of a pool prepare their statements by name, so that PostgreSQL plans each text once per
 * connection: planning the permission walk takes longer than running it. That needs sessions with `plan_cache_mode`
 * `force_generic_plan`, since left to itself PostgreSQL plans anew for every list of ids (it expects ten in one, and finds
 * a plan for fewer cheaper). A proxy that shares connections between transactions must support prepared statements
 * (PgBouncer 1.21 and newer with `max_prepared_statements`).
 */
export function prepareStatements(pool: Pool): void {
  pool.on('connect', (client) => prepareOn(client as PoolClient)); // the pool's own type says Client
}

type Query = (text: unknown, values?: unknown, ...rest: unknown[]) => unknown;

function prepareOn(client: PoolClient): void {
  const names = new Map<string, string | undefined>();
  const query = client.query.bind(client) as Query; // one signature for its overloads
  const prepared: Query = (text, values, ...rest) => {
    if (typeof text !== 'string' || !Array.isArray(values)) return query(text, values, ...rest);
    if (!names.has(text) && names.size < MAX_STATEMENTS) names.set(text, nameOf(text));
    const name = names.get(text);
    if (name === undefined) return query(text, values, ...rest);
    const result = query({ name, text, values }, ...rest);
    if (!(result instanceof Promise)) return result;
    return result.catch((error) => {
      if (!isStalePlan(error)) throw error;
      // A migration added a column to a `select *`: from now on this connection plans the text at each use. Inside a
      // transaction the statement fails once more, and the command starts again.
      names.set(text, undefined);
      return query(text, values);
    });
  };
  client.query = prepared as PoolClient['query']; // the same overloads as before
}

/** PostgreSQL cuts names at 63 bytes. */
const nameOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 32);
