/** Why a sign-in failed. The message is shown to the person and logged. It contains no secrets. */
export class SamlError extends Error {}
