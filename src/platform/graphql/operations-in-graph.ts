import type { Operation } from '../operation/operation.ts';

const operations = new Set<string>();

/** Marks an operation as available in the graph. */
export const readInGraph = (operation: { operationName: string }) => void operations.add(operation.operationName);

/** Names of the operations of the graph. A structural test compares them with those of REST. */
export const operationsInGraph = (): ReadonlySet<Operation['operationName']> => operations;
