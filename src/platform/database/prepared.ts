import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';

/** Plans kept by one connection. Texts beyond that are planned at each use, as without preparation. */
const MAX_STATEMENTS = 500;

/**
 * Makes the connections of a pool prepare their statements by name, so that PostgreSQL plans each text once per
 * connection: planning the permission walk takes longer than running it. A proxy that shares connections between
 * transactions must support prepared statements (PgBouncer 1.21 and newer with `max_prepared_statements`).
 */
export function prepareStatements(pool: Pool): void {
  pool.on('connect', (client) => prepareOn(client as PoolClient)); // the pool's own type says Client
}

type Query = (text: unknown, values?: unknown, ...rest: unknown[]) => unknown;

function prepareOn(client: PoolClient): void {
  const names = new Map<string, string>();
  const query = client.query.bind(client) as Query; // one signature for its overloads
  const prepared: Query = (text, values, ...rest) => {
    if (typeof text !== 'string' || !Array.isArray(values)) return query(text, values, ...rest);
    const name = names.get(text) ?? (names.size < MAX_STATEMENTS ? nameOf(text) : undefined);
    if (name === undefined) return query(text, values, ...rest);
    names.set(text, name);
    const result = query({ name, text, values }, ...rest);
    // A migration that adds a column breaks the plans of `select *`; the text is then planned anew, under no name.
    return result instanceof Promise ? result.catch((error) => replanned(error, () => query(text, values))) : result;
  };
  client.query = prepared as PoolClient['query']; // the same overloads as before
}

const FEATURE_NOT_SUPPORTED = '0A000';

function replanned(error: unknown, again: () => unknown): unknown {
  const isStale = error instanceof Error && 'code' in error && error.code === FEATURE_NOT_SUPPORTED;
  if (isStale && error.message.includes('cached plan')) return again();
  throw error;
}

/** PostgreSQL cuts names at 63 bytes. */
const nameOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 32);
