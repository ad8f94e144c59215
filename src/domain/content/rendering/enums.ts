import { namedEnum } from '../../../platform/named-enum.ts';

export const evaluation = namedEnum(
  'Evaluation',
  'Whether to replace expressions in a body with their values, and conditional blocks with their content or nothing. Expressions that cannot be evaluated stay unchanged.',
  {
    true: 'All expressions. Those that use the visitor are only evaluated for visitors of a published site.',
    false: 'None. Expressions are returned as they were written.',
    'deterministic-only':
      'Only expressions with the same value for every reader, which use variables of the space and the page.',
  },
);

export const dereferencing = namedEnum(
  'Dereferencing',
  'Whether to replace references to reusable contents with their content.',
  {
    true: 'All references that can be replaced, which are those to reusable contents.',
    false: 'None. References stay unchanged.',
    'reusable-contents': 'References to reusable contents only.',
  },
);

export const markdownReferences = namedEnum(
  'MarkdownReferences',
  'How Markdown refers to pages and files of its own space. Both forms can be written back and become references again.',
  {
    relative: 'Pages by relative file paths (`../guide/setup.md`), files by their download URLs.',
    stable: 'By id (`page:page_…`), which does not depend on where the text is used.',
  },
);
