import { namedEnum } from '../shapes/named-enum.ts';

/**
 * What an access token can be restricted to. Every token can read. A token never exceeds the permissions of its user.
 */
export const scope = namedEnum(
  'Scope',
  'Operations that a restricted access token can use, within the permissions of its user.',
  {
    read: 'Read what the user can read, except keys, invitations, webhooks and events. Every token has this scope.',
    comment: 'Write comments and replies, and delete your own.',
    propose: 'Create change requests, edit their content, and request reviews.',
    write:
      'Edit content directly, and create and organize spaces, collections, specifications, translations, conversations and Git runs.',
    merge: 'Review change requests, and merge, archive and reopen them.',
    publish: 'Create, change and publish sites, and read the keys of their visitors.',
    admin:
      'Manage members, teams, invitations, permissions, SSO, webhooks and settings, read events, transfer and delete. With it, every permission can be gained in the organizations that the user administers.',
  },
);

export type Scope = keyof (typeof scope)['enum'];
