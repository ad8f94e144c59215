/** Thrown inside an evaluation: it has no value, for the reason in the message. */
export class Unevaluable extends Error {}
