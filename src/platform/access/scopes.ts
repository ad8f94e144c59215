import { namedEnum } from '../shapes/named-enum.ts';

/** What an access token can be restricted to. Every token can read. A token never exceeds the permissions of its user. */
export const scope = namedEnum(
  'Scope',
  'Operations that a restricted access token can use, within the permissions of its user.',
  {
    read: 'Read what the user can read. Every token has this scope.',
    comment: 'Write comments and replies.',
    propose: 'Create change requests, edit their content, and request reviews.',
    write:
      'Edit content directly, and create and organize spaces, collections, specifications, translations and Git runs.',
    merge: 'Review change requests, and merge them.',
    publish: 'Create, change and publish sites.',
    admin: 'Manage members, teams, permissions, webhooks and settings, read events, and delete spaces and collections.',
  },
);

export type Scope = keyof (typeof scope)['enum'];
