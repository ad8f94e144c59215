/** Whether an object has no value: all of its properties are undefined. */
export const allUndefined = (object: object): boolean => Object.values(object).every((value) => value === undefined);
