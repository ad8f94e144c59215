/** A value that expressions may use: text of up to 256 characters, a number or a truth. */
export type VariableValue = string | number | boolean;

/** A variable of a space as the manifest of a revision has it. */
export interface VariableEntry {
  /** Its name. */
  id: string;
  value: VariableValue;
}
