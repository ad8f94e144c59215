/** Marks where a component begins and ends, for `withoutIndents`. Unicode reserves these characters for internal use. */
export const OPEN = '\ufdd0';
export const CLOSE = '\ufdd1';
