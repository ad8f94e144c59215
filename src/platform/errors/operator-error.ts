/** An error whose message tells the operator of the service what to do. Commands print it without a stack. */
export class OperatorError extends Error {}
