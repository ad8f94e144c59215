import {
  type AnyEntity,
  type Dictionary,
  type EntityData,
  isRaw,
  type LoggingOptions,
  type QueryResult,
  type RawQueryFragment,
  type Transaction,
} from '@mikro-orm/core';
import { NativeQueryBuilder, PostgreSqlConnection, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { CompiledQuery, type ControlledTransaction, type Kysely } from 'kysely';

/** The ORM's driver for PostgreSQL with a connection that keeps values out of the text of statements. */
export class ParameterDriver extends PostgreSqlDriver {
  protected override readonly connection = new ParameterConnection(this.config);
}

/**
 * Sends what the unit of work reads and writes with its values beside the text, as the query builder does, where the ORM
 * would write them into it: so plans are kept, traces show no values, and no value needs quoting.
 */
class ParameterConnection extends PostgreSqlConnection {
  override async execute<Result extends QueryResult | EntityData<AnyEntity> | EntityData<AnyEntity>[]>(
    query: string | NativeQueryBuilder | RawQueryFragment,
    params: readonly unknown[] | Dictionary<unknown> = [],
    method: 'all' | 'get' | 'run' = 'all',
    transaction?: Transaction<ControlledTransaction<unknown>>,
    context?: LoggingOptions,
  ): Promise<Result> {
    const raw = query instanceof NativeQueryBuilder ? query.toRaw() : query;
    const { sql, params: values } = isRaw(raw) ? raw : { sql: raw, params };
    const text = Array.isArray(values) && values.every(isScalar) ? this.#numbered(sql) : undefined;
    if (text === undefined) return super.execute<Result>(raw, params, method, transaction, context);
    await this.ensureConnection();
    const client: Kysely<unknown> = transaction ?? this.getClient();
    const result = await client.executeQuery(CompiledQuery.raw(text, values as unknown[])); // just checked
    return this.transformRawResult<Result>(result, method);
  }

  /** `?` as `$1`, `$2` …; undefined where the text holds anything else that the ORM replaces (`??`, `\?`). */
  #numbered(sql: string): string | undefined {
    if (/\?\?|\\\?/.test(sql)) return undefined;
    let count = 0;
    return sql.replaceAll('?', () => `$${++count}`);
  }
}

/** Whether the driver sends a value as the ORM would write it. */
const isScalar = (value: unknown) =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  Buffer.isBuffer(value);
