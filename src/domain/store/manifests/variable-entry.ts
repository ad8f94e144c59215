/** Value of a variable that expressions can use: a string of up to 256 characters, a number or a boolean. */
export type VariableValue = string | number | boolean;

/** A variable in the manifest of a revision. */
export interface VariableEntry {
  /** Name of the variable. */
  id: string;
  value: VariableValue;
}
