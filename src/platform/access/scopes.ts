import { ApiError } from '../errors/errors.ts';
import { namedEnum } from '../shapes/named-enum.ts';
import type { Actor } from './actor.ts';

/** What an access token can be restricted to. Every token can read. A token never exceeds the permissions of its user. */
export const scope = namedEnum('Scope', 'What a restricted access token can do, within the permissions of its user.', {
  read: 'Read what the user can read. Every token has this scope.',
  comment: 'Write comments and replies.',
  propose: 'Create change requests, edit their content, and request reviews.',
  write:
    'Edit content directly, and create and organize spaces, collections, specifications, translations and Git runs.',
  merge: 'Review change requests, and merge them.',
  publish: 'Create, change and publish sites.',
  admin: 'Manage members, teams, permissions, webhooks and settings, read events, and delete spaces and collections.',
});

export type Scope = keyof (typeof scope)['enum'];

/** Whether a caller has one of the scopes. Only restricted access tokens, and sessions started with them, lack any. */
export function hasScope(actor: Actor, wanted: Scope | readonly Scope[]): boolean {
  const scopes = actor.kind === 'user' ? actor.scopes : undefined;
  if (scopes === undefined) return true;
  return [wanted].flat().some((each) => each === 'read' || scopes.includes(each));
}

/** Throws 403 unless the caller has one of the scopes. */
export function requireScope(actor: Actor, wanted: Scope | readonly Scope[]): void {
  if (hasScope(actor, wanted)) return;
  const needed = [wanted].flat();
  const named = needed.map((each) => `"${each}"`).join(' or ');
  throw new ApiError('FORBIDDEN', `This access token does not have the scope ${named}. Use a token that has it.`, [], {
    missingScope: needed.join(' '),
  });
}
