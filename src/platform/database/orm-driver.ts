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
import { measured, meterIn } from './statements.ts';

/** The ORM's PostgreSQL driver with separate parameters. */
export class ParameterDriver extends PostgreSqlDriver {
  protected override readonly connection = new ParameterConnection(this.config);
}

/**
 * Sends the values of the unit of work as parameters, like the query builder. By default, the ORM would insert them
 * into the text. With parameters, plans are reused, traces contain no values, and no value needs quoting.
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
    const statement = CompiledQuery.raw(text, values as unknown[]); // just checked
    const result = await measured(meterIn(context), () => client.executeQuery(statement));
    return this.transformRawResult<Result>(result, method);
  }

  /** Replaces `?` by `$1`, `$2` …. Undefined if the text contains other placeholders of the ORM (`??`, `\?`). */
  #numbered(sql: string): string | undefined {
    if (/\?\?|\\\?/.test(sql)) return undefined;
    let count = 0;
    return sql.replaceAll('?', () => `$${++count}`);
  }
}

/** Whether the driver and the ORM send a value in the same way. */
const isScalar = (value: unknown) =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  Buffer.isBuffer(value) ||
  isTexts(value);

/** For conditions such as `id = any(?)`. The ORM gives columns of arrays as text. */
const isTexts = (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'string');
