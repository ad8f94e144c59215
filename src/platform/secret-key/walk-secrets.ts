import pg from 'pg';
import { decryptSecret, type SecretKeys } from './secrets.ts';
import type { SecretColumn } from './stored-secret.ts';

/** A stored secret with what identifies its row. */
export interface FoundSecret {
  key: Record<string, string>;
  stored: Buffer;
}

/**
 * Reads all secrets of a column in batches, in the order of their keys. Nothing from a database that lacks the column.
 */
export async function* secretsIn(
  client: pg.ClientBase,
  { table, column, key }: SecretColumn,
  batch = 500,
): AsyncGenerator<FoundSecret[]> {
  if (!(await hasColumn(client, table, column))) return;
  const names = Object.keys(key);
  const columns = Object.values(key).map((name) => pg.escapeIdentifier(name));
  const secret = pg.escapeIdentifier(column);
  const read = (condition: string) => `
    select array[${columns.map((name) => `${name}::text`).join(', ')}] as key, ${secret} as stored
    from ${pg.escapeIdentifier(table)} where ${secret} is not null ${condition}
    order by ${columns.join(', ')} limit ${batch}`;
  const after = `and (${columns.join(', ')}) > (${columns.map((_, index) => `$${index + 1}`).join(', ')})`;
  let last: string[] | undefined;
  for (;;) {
    const { rows } = await client.query<{ key: string[]; stored: Buffer }>(read(last ? after : ''), last);
    if (rows.length === 0) return;
    last = rows.at(-1)?.key;
    yield rows.map((row) => ({
      key: Object.fromEntries(names.map((name, index) => [name, row.key[index] ?? ''])),
      stored: row.stored,
    }));
  }
}

async function hasColumn(client: pg.ClientBase, table: string, column: string): Promise<boolean> {
  const { rows } = await client.query(
    `select from information_schema.columns where table_schema = 'public' and table_name = $1 and column_name = $2`,
    [table, column],
  );
  return rows.length > 0;
}

/** How many secrets of a column each key encrypted, and how many cannot be read. */
export interface SecretCounts {
  current: number;
  previous: number;
  unreadable: number;
}

/** Reads all secrets of a column, and counts them by the key that decrypts them. */
export async function countSecrets(
  client: pg.ClientBase,
  keys: SecretKeys,
  secret: SecretColumn,
): Promise<SecretCounts> {
  const counts: SecretCounts = { current: 0, previous: 0, unreadable: 0 };
  for await (const batch of secretsIn(client, secret)) {
    for (const { key, stored } of batch) counts[keyOfSecret(keys, secret.place(key), stored).by]++;
  }
  return counts;
}

/** Which key decrypts a secret, and the secret. */
export function keyOfSecret(
  { current, previous }: SecretKeys,
  place: string,
  stored: Buffer,
): { by: 'current' | 'previous'; secret: string } | { by: 'unreadable' } {
  const now = decryptSecret({ current }, place, stored);
  if (now !== undefined) return { by: 'current', secret: now };
  const before = previous === undefined ? undefined : decryptSecret({ current: previous }, place, stored);
  return before === undefined ? { by: 'unreadable' } : { by: 'previous', secret: before };
}
