import { namedEnum } from '../../../platform/named-enum.ts';

export const evaluation = namedEnum(
  'Evaluation',
  'Whether expressions in a body are replaced by their values, and conditional blocks by their content or nothing. What cannot be evaluated stays as it is.',
  {
    true: 'All expressions; those that ask for the visitor where one is known, which is on a published site.',
    false: 'None: expressions are given as they were written.',
    'deterministic-only':
      'Only expressions whose inputs are the same for every reader: variables of the space and page.',
  },
);

export const dereferencing = namedEnum(
  'Dereferencing',
  'Whether reusable contents are put in the place of the references to them.',
  {
    true: 'All that can be shown in place, which is reusable contents.',
    false: 'None: references stay.',
    'reusable-contents': 'The bodies of reusable contents, and nothing else.',
  },
);

export const markdownReferences = namedEnum(
  'MarkdownReferences',
  'How Markdown names pages and files of its own space. Both forms can be written back: they are references again.',
  {
    relative: 'Pages as files beside the page (`../guide/setup.md`), files by their download addresses.',
    stable: 'By id (`page:page_…`), which names the same page wherever the text goes.',
  },
);
