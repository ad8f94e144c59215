import { AsyncLocalStorage } from 'node:async_hooks';

const accounts = new AsyncLocalStorage<string>();

/** Runs a function whose work counts for an account: a user or an address. Other work counts for the service. */
export const asAccount = <Result>(account: string, act: () => Result): Result => accounts.run(account, act);

/** The account that work counts for now. */
export const currentAccount = (): string => accounts.getStore() ?? SERVICE;

const SERVICE = 'service';
