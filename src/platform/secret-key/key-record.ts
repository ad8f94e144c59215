import type pg from 'pg';

/** What a database knows about its secret key. */
export interface KeyRecord {
  installation: string;
  keptIn: string;
  salt: Buffer;
  fingerprint: Buffer;
  previousFingerprint: Buffer | null;
  recordedAt: Date;
}

/** Reads the record of the secret key. Undefined before the first start of a version that makes one. */
export async function readKeyRecord(client: pg.ClientBase): Promise<KeyRecord | undefined> {
  if (!(await hasTable(client, 'secret_key'))) return undefined;
  const { rows } = await client.query<KeyRecord>(
    `select installation, kept_in as "keptIn", salt, fingerprint, previous_fingerprint as "previousFingerprint",
      recorded_at as "recordedAt" from secret_key`,
  );
  return rows[0];
}

/** Writes the record of a key. It replaces the former record but keeps the name of the installation. */
export async function writeKeyRecord(
  client: pg.ClientBase,
  { installation, keptIn, salt, fingerprint, previousFingerprint }: Omit<KeyRecord, 'recordedAt'>,
): Promise<void> {
  await client.query(
    `insert into secret_key (id, installation, kept_in, salt, fingerprint, previous_fingerprint)
     values ('service', $1, $2, $3, $4, $5)
     on conflict (id) do update set kept_in = excluded.kept_in, salt = excluded.salt, fingerprint = excluded.fingerprint,
       previous_fingerprint = excluded.previous_fingerprint, recorded_at = now()`,
    [installation, keptIn, salt, fingerprint, previousFingerprint],
  );
}

export async function hasTable(client: pg.ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
    `public.${table}`,
  ]);
  return rows[0]?.exists ?? false;
}
