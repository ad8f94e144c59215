/** Thrown during an evaluation that has no value. The message is the reason. */
export class Unevaluable extends Error {}
