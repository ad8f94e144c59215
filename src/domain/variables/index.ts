export type { VariableEntry, VariableValue } from './entry.ts';
export { variablesOf } from './variables-of.ts';
