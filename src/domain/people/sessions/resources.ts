import { deviceName } from '../../../lib/document-html/device-name.ts';
import { resource } from '../../../platform/resource/resource.ts';
import type { SessionRow } from './load-session.ts';

export const session = resource<SessionRow>(
  {
    name: 'Session',
    object: 'session',
    node: 'session',
    description: 'A browser in which you are signed in. The secret of its cookie is not stored.',
  },
  (f) => ({
    device: f.string('Browser and system, such as "Firefox on Linux", as the browser names itself.', ({ userAgent }) =>
      deviceName(userAgent),
    ),
    isCurrent: f.boolean(
      'Whether this request was sent with this session.',
      ({ id }, { actor }) => actor.kind === 'user' && actor.sessionId === id,
    ),
    createdAt: f.time('Time when you signed in.', ({ createdAt }) => createdAt),
    lastUsedAt: f.time.optional(
      'Time when the session was last used, accurate to the minute. Null if it was never used.',
      ({ lastUsedAt }) => lastUsedAt,
    ),
    expiresAt: f.time('Time when the session ends.', ({ expiresAt }) => expiresAt),
  }),
);
