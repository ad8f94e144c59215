import type { ReportNote } from '../repository/report.ts';

/** Icons of other sets by the Font Awesome name that shows the same. */
const ALIKE: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'check:check check-bold check-circle-outline',
    'circle-check:check-circle check-circle-fill',
    'square-check:checkbox-marked',
    'xmark:close x window-close close-thick',
    'circle-xmark:close-circle x-circle',
    'circle-info:information information-outline info',
    'triangle-exclamation:alert alert-outline warning',
    'circle-exclamation:alert-circle alert-circle-outline',
    'circle-question:help help-circle help-circle-outline question',
    'lightbulb:lightbulb lightbulb-outline lightbulb-on light-bulb',
    'arrow-right:arrow-right arrow-right-thick',
    'arrow-left:arrow-left',
    'arrow-up:arrow-up',
    'arrow-down:arrow-down',
    'chevron-right:chevron-right',
    'chevron-down:chevron-down',
    'up-right-from-square:open-in-new link-external',
    'link:link link-variant',
    'magnifying-glass:magnify search',
    'gear:cog cog-outline gear settings',
    'wrench:wrench tools',
    'house:home home-outline',
    'user:account account-outline person',
    'users:account-group account-multiple people',
    'file:file file-outline file-document file-document-outline',
    'folder:folder folder-outline file-directory',
    'book:book book-outline',
    'book-open:book-open book-open-variant book-open-page-variant',
    'download:download',
    'upload:upload',
    'pencil:pencil pencil-outline',
    'trash:delete delete-outline trash trashcan',
    'plus:plus plus-thick',
    'minus:minus',
    'star:star star-outline star-fill',
    'heart:heart heart-outline heart-fill',
    'clock:clock clock-outline clock-fast',
    'calendar:calendar calendar-outline',
    'rocket:rocket rocket-launch rocket-launch-outline',
    'bug:bug bug-outline',
    'code:code-tags code code-braces',
    'terminal:console terminal',
    'database:database database-outline',
    'server:server',
    'cloud:cloud cloud-outline',
    'lock:lock lock-outline',
    'lock-open:lock-open lock-open-outline unlock',
    'key:key key-outline',
    'eye:eye eye-outline',
    'eye-slash:eye-off eye-off-outline',
    'envelope:email email-outline mail',
    'bell:bell bell-outline',
    'tag:tag tag-outline',
    'flag:flag flag-outline',
    'shield:shield shield-outline',
    'bolt:lightning-bolt flash zap',
    'play:play play-outline',
    'image:image image-outline',
    'comment:comment comment-outline',
    'ellipsis:dots-horizontal kebab-horizontal',
    'ellipsis-vertical:dots-vertical',
    'bars:menu three-bars',
    'copy:content-copy copy clipboard-copy',
    'github:github mark-github',
  ].flatMap((entry) => {
    const [name = '', others = ''] = entry.split(':');
    return others.split(' ').map((other) => [other, name] as const);
  }),
);

/**
 * The icon of MkDocs with a name such as `material-check` as a tag. Icons without a counterpart are left out and noted.
 */
export function iconTag(name: string, note: ReportNote): string {
  const [, own] = /^fontawesome-(?:solid|regular|brands)-(.+)$/.exec(name) ?? [];
  const [, other = ''] = /^(?:material|octicons|simple)-(.+?)(?:-(?:12|16|24))?$/.exec(name) ?? [];
  const icon = own ?? (Object.hasOwn(ALIKE, other) ? ALIKE[other] : undefined);
  if (icon === undefined) note('dropped', `The icon ":${name}:" was left out, because this service does not have it.`);
  return icon === undefined ? '' : `<i class="fa-${icon}">:${icon}:</i>`;
}
