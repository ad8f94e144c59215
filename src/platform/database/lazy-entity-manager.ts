import type { EntityManager } from '@mikro-orm/postgresql';
import type { Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * An entity manager within a transaction, which is made when it is first used: most commands only read and write rows.
 * `flush` writes changed entities, if there are any.
 */
export function lazyEntityManager(
  root: EntityManager,
  transaction: Transaction<Tables>,
): { em: EntityManager; flush(): Promise<void> } {
  let made: EntityManager | undefined;
  const make = () => {
    const fork = root.fork({ clear: true });
    fork.setTransactionContext(transaction);
    return fork;
  };
  const em = new Proxy({} as EntityManager, {
    get(_target, name) {
      made ??= make();
      const value: unknown = Reflect.get(made, name, made);
      return typeof value === 'function' ? value.bind(made) : value;
    },
  });
  return { em, flush: async () => made?.flush() };
}
