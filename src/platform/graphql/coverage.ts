import type { Operation } from '../operation.ts';

const operations = new Set<string>();

/** Notes that an operation is reachable in the graph. */
export const readInGraph = (operation: { operationName: string }) => void operations.add(operation.operationName);

/** Names of the operations that the graph offers; the structural test compares them with REST's. */
export const operationsInGraph = (): ReadonlySet<Operation['operationName']> => operations;
