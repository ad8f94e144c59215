/** Reason why a sign-in failed. The message is shown to the person and logged, and does not contain secrets. */
export class SignInError extends Error {}
