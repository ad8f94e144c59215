import { type Actor, onlySpacesOf } from '../../../platform/access/actor.ts';

/** Id of the grant of an application that is limited to spaces. */
export const limitedGrantOf = (actor: Actor): string | undefined =>
  actor.kind === 'user' && onlySpacesOf(actor) ? (actor.application?.grantId ?? '') : undefined;
