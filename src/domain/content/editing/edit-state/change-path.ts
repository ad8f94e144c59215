/** Path of a change in the input, for errors. */
export type ChangePath = readonly (string | number)[];
