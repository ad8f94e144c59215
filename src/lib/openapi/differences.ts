/** Whether a message goes to the service or comes from it. What is breaking differs. */
export type MessageDirection = 'request' | 'response';

/** A difference of two schemas, with the place in them: `owner.name`, `[].id`. */
export interface SchemaDifference {
  place: string;
  message: string;
  isBreaking: boolean;
}

/** A reason why something counts as changed. */
export interface ChangeReason {
  message: string;
  isBreaking: boolean;
}

/** Differences as reasons, with the name of the schema's owner: `response 200 owner.name: property removed`. */
export const named = (name: string, differences: readonly SchemaDifference[]): ChangeReason[] =>
  differences.map(({ place, message, isBreaking }) => ({
    message: `${name}${place === '' ? '' : ` ${place}`}: ${message}`,
    isBreaking,
  }));
