import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const evaluation = namedEnum(
  'Evaluation',
  'Whether to replace expressions in a body with their values, and conditional blocks with their content if the condition is met. Other conditional blocks are removed. Expressions that cannot be evaluated are not changed.',
  {
    true: 'All expressions are evaluated. Expressions that use the visitor are only evaluated for visitors of a published site.',
    false: 'Leaves all references unchanged.',
    'deterministic-only':
      'Only expressions with the same value for every reader are evaluated: those that use variables of the space and the page.',
  },
);

export const dereferencing = namedEnum(
  'Dereferencing',
  'Whether to replace references to reusable contents, and blocks that show an OpenAPI specification, with their content.',
  {
    true: 'Replaces all references that can be replaced: reusable contents with their content, OpenAPI blocks with the operations and schemas of the latest version.',
    false: 'Leaves all references unchanged.',
    'reusable-contents': 'Replaces references to reusable contents.',
  },
);

export const markdownReferences = namedEnum(
  'MarkdownReferences',
  'How Markdown refers to pages, files and other content. Inputs accept all forms and turn them into references.',
  {
    relative: 'Pages by relative file paths (`../guide/setup.md`), files by their download URLs.',
    stable:
      'By ID, which does not depend on the location of the text: `page:page_…` in GraphQL, `/pages/page_…` in REST, with the prefix `/spaces/space_…` for pages in another space.',
    written: 'As written or imported, as long as the targets have not moved. Other references as in `relative`.',
  },
);
