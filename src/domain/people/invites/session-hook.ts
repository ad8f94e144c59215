import type { Context } from '../../../platform/context.ts';

/** Starts a session of a user and returns the value of the header `Set-Cookie`. Runs inside of a command. */
export type StartSession = (ctx: Context, userId: string) => Promise<string>;

let startSession: StartSession | undefined;

/**
 * Registers what signs new users in when they accept an invitation, for the module of sessions, which is above this one.
 * Without it, they get an access token instead.
 */
export function signInWith(start: StartSession): void {
  startSession = start;
}

export const sessionStarter = (): StartSession | undefined => startSession;
