/** Why a sign-in is refused. The message is shown to the person and logged; it contains nothing that is secret. */
export class SamlRefusal extends Error {}
